import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPosts } from '../src/posts.ts'

const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const ONE = post('/timed', '{"links":[{"href":"x"}],"id":"n1","hookId":"h","resource":"/orders","resourceId":"r1"}')
const OTHER = post('/', '{"links":[],"id":"n2","resourceId":"r2"}')
const READ = [
  { path: '/timed', notificationId: 'n1', resourceId: 'r1' },
  { path: '/', notificationId: 'n2', resourceId: 'r2' },
]

test('requests are parsed in the same way with any split of their bytes', () => {
  const text = ONE + OTHER
  assert.deepEqual(readPosts()(text), READ)
  for (let cut = 1; cut < text.length; cut++) {
    const read = readPosts()
    assert.deepEqual([...read(text.slice(0, cut)), ...read(text.slice(cut))], READ, `cut at ${cut}`)
  }
  const byByte = readPosts()
  assert.deepEqual([...text].flatMap(byByte), READ)
})

test('a request without a content length throws', () => {
  assert.throws(() => readPosts()('GET / HTTP/1.1\r\n\r\n'), /without its length/)
})
