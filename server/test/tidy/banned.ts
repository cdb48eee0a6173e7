/** A banned construct and its replacement. `where` and `except` are tested against the path. */
export interface Ban {
  readonly pattern: RegExp
  readonly where: RegExp
  readonly except?: RegExp
  readonly instead: string
}

export const BANS: readonly Ban[] = [
  {
    pattern: /\bDate\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|randomUUID\(|randomBytes\(/,
    where: /^server\/src\/core\//,
    instead: 'core is pure: take `now` and ids as arguments',
  },
  {
    pattern: /^import .* from 'node:(?!crypto|net)/m,
    where: /^server\/src\/core\//,
    instead: 'core does no I/O; only the deterministic parts of node:crypto and node:net are of use to it',
  },
  {
    pattern: /\basync \b|\bawait \b/,
    where: /^server\/src\/core\//,
    instead: 'core is synchronous: decide there, wait outside',
  },
  {
    pattern: /select \*/i,
    where: /^server\/src\/.*\.ts$/,
    instead: 'name the columns: a new column must not change what a reader gets',
  },
  {
    pattern: /\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid)\(\)\s*(?=[`,)\s])/,
    where: /^server\/src\/.*store\.ts$/,
    except: /clock\.now\(\)/,
    instead: 'SQL reads no clock and rolls no dice: pass `now` and ids in',
  },
  {
    pattern: /console\.(log|error|warn|info)/,
    where: /^server\//,
    // Code samples of the reference.
    except: /^server\/src\/runtime\/openapi\/samples\.ts$/,
    instead: 'write to the log port; main.ts alone speaks to the terminal',
  },
  {
    pattern: /process\.env(?!\.PATH)/,
    where: /^server\/src\//,
    except: /^server\/src\/main\.ts$/,
    instead: 'settings are read once, in config.ts, from what main.ts hands it',
  },
  {
    pattern: /mock\.module|\b(sinon|proxyquire)\b/,
    where: /\.test\.ts$/,
    instead: 'no mocks of our own modules: use the real thing, or a fake of a port',
  },
  {
    pattern: /^(before|after)(Each)?\(/m,
    where: /^server\/(src|test)\//,
    except: /\.(test|browser)\.ts$|^server\/test\/browser\//,
    instead:
      'files of tests share a process, and a fixture is loaded for the first of them alone: hook where they call it',
  },
]

/** Terms that GLOSSARY.md replaced. */
export const RETIRED: readonly RegExp[] = [
  /\b[sS]et[_ ]?[aA]side\b/,
  /\bhand-?[oO]ff\b/,
  /\btold(Once|By)\b|\btellOf\b/,
  /\bLAST_KEEPER\b|\bevenIfLast\b/,
  /\bUNPROVEN\b|\bisProven\b|\bprovenAt\b/,
  /\bpurse\b|\bwhence\b|\bcheckers\b/,
  /\bseeAgain\b|\basItWas\b|\blookAt\b/,
  /\bisRefused\b|\bGatewayRefusal\b|_REFUSED\b|\brefuse(Business|Seller|Money|Choice|DeliveryUrl|TooMany|Hooks)\b/,
  /looksAgainEach|lookAgain|\bendUnsendable\b|\bunsendable\b|\bmissedSince\b|\bunpark\b/,
  /\bDeed\b|\bforeseen\b|\b(keeper|Keeper)(s|Words)?\b|\bplaceName\b|choose-place/,
]
