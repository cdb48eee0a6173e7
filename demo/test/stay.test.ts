import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Five times the duration of the story. */
const ENDS_WITHIN_MS = 120_000

test('with --stay the platform runs after the last step until Ctrl-C, which leaves nothing behind', async () => {
  const child = spawn(process.execPath, [MAIN, '--stay'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const overdue = setTimeout(() => child.kill('SIGTERM'), ENDS_WITHIN_MS)
  const ended = once(child, 'exit')
  let printed = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk
    if (/Key for the API: .+\n/.test(printed)) break
  }
  child.stdout.resume()
  assert.match(printed, /^demo: 15 notifications received, 15 signatures valid, 0 missing\n/m)
  const { baseUrl = '' } = /(?<baseUrl>http:\/\/[\d.:]+)\/simulator#/.exec(printed)?.groups ?? {}
  const page = await fetch(`${baseUrl}/simulator`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Terminal simulator/)
  for (const [name, home, words] of [
    ['developer', '/dev', /Lakeside Apps/],
    ['operator', '/ops', /Needs you|Nothing needs you/],
    ['merchant', '/my/invoices', /Corner Café/],
    ['bakery', '/my/subscriptions', /Harbour Bakery/],
  ] as const) {
    const link = new RegExp(`http://127\\.0\\.0\\.1:\\d+/[\\w-]+/${name}\\b`).exec(printed)?.[0] ?? assert.fail(name)
    const door = await fetch(link, { redirect: 'manual' })
    assert.deepEqual([door.status, door.headers.get('location')], [303, `${baseUrl}${home}`])
    const cookie = (door.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const opened = await fetch(`${baseUrl}${home}`, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
    assert.equal(opened.status, 200, name)
    assert.match(await opened.text(), words)
    const guessed = link.replace(/\/[\w-]+\/(\w+)$/, '/guess/$1')
    assert.equal((await fetch(guessed, { redirect: 'manual' })).status, 404)
  }
  child.kill('SIGINT')
  const [code] = await ended
  clearTimeout(overdue)
  assert.equal(code, 0)
  await assert.rejects(fetch(`${baseUrl}/simulator`), 'the service is gone')
})

test('an unknown option, or both options together, is an error, and nothing is started', async () => {
  for (const options of [['--stray'], ['--json', '--stay']]) {
    const child = spawn(process.execPath, [MAIN, ...options], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', chunk => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(said, /^The demo knows two options, one at a time/)
  }
})
