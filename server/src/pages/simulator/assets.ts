import { assetFolder } from '../../platform/web/assets.ts'

const FILES = [
  ...['main.js', 'calls.js', 'keys.js', 'keeping.js', 'terminal.js', 'billing.js', 'idle.js', 'journal.js'],
  ...['screen.js', 'words.js', 'simulator.css'],
  ...['activation', 'sign-in', 'set-up-again', 'home', 'app', 'app-cards', 'purchase'].map(
    name => `screens/${name}.js`,
  ),
]

const folder = assetFolder('simulator', new URL('./script/', import.meta.url), FILES)

/** What `/simulator` loads. */
export const SIMULATOR_ASSETS = folder.assets

export const simulatorAsset = folder.pathOf
