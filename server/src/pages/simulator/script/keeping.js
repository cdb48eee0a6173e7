/* What a terminal keeps when it is switched off: who it is, and its key. IndexedDB holds keys without showing them. */

const DATABASE = 'tillhook-terminal'
const STORE = 'terminal'
const ONLY = 'this'

/** `{ deviceId, businessId, storeId, name, kid, privateKey }`, or undefined: never activated here. */
export function findTerminal() {
  return within('readonly', store => store.get(ONLY))
}

export function keepTerminal(terminal) {
  return within('readwrite', store => store.put(terminal, ONLY))
}

export function forgetTerminal() {
  return within('readwrite', store => store.delete(ONLY))
}

async function within(mode, work) {
  const database = await resultOf(openDatabase())
  try {
    return await resultOf(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function openDatabase() {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  return opening
}

function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
