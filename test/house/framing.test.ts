import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerEnd } from '../../bench/framing.ts'

const sized = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
const chunked = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n')

for (const [kind, answer] of Object.entries({ sized, chunked })) {
  test(`the load generator sees a ${kind} answer as whole at its last byte, and not before`, () => {
    for (let length = 0; length < answer.length; length += 1) assert.equal(answerEnd(answer.subarray(0, length)), -1)
    assert.equal(answerEnd(answer), answer.length)
  })
}
