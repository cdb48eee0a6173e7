import type { Scenario } from '../world.ts'
import { meter, QUIET_MS, rowOfStream, withReasons } from './record.ts'

const MANY = 10_000
const IN_ONE = 100
/** Notifications per transaction, as in billing. */
const RECORDERS = 4

/** Records notifications for one hook at full speed: the maximum rate of one listener. */
export const oneHook: Scenario = {
  name: `${MANY.toLocaleString('en')} to one hook`,
  run: async world => {
    const { inbox, signal } = world
    const recording = await world.openRecording()
    const [appId = ''] = recording.apps.well
    using stream = inbox.openStream()
    const { beganAt, beganAtMs, used } = meter(recording)
    let recorded = 0
    const record = async () => {
      while (recorded < MANY) {
        signal.throwIfAborted()
        recorded += IN_ONE
        await recording.record(Array.from({ length: IN_ONE }, () => [appId, stream.newId(beganAtMs)]))
      }
    }
    await Promise.all(Array.from({ length: RECORDERS }, record))
    await stream.arrived(MANY, { quietMs: QUIET_MS, signal })
    const row = rowOfStream(`${oneHook.name}: delivered`, stream, { expected: MANY, sinceMs: beganAtMs })
    return [await withReasons({ ...row, ...used(MANY) }, recording, beganAt)]
  },
}
