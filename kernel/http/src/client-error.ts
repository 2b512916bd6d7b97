import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorRecord, PayloadTooLarge } from '@gateway/kernel'
import { BadRequest, type ToolError } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { pendingResponse } from './connections.ts'
import { HeadersTooLarge, RequestTimeout } from './errors.ts'

/** Larger than any request line and headers that an agent sends; Node counts both together. */
export const MAX_HEADER_BYTES = 16_384

const ANSWER_ARRIVAL_MS = 1_000

/**
 * Answers input that is not yet a request (broken HTTP, oversized headers, half a request) with an error record and closes the
 * connection.
 */
export function clientError(settings: Settings) {
  return (failure: NodeJS.ErrnoException, socket: Socket): void => {
    if (failure.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    // The fault is pipelined behind a request that is being answered; a text written here would be taken for that answer.
    if (pendingResponse(socket)?.req.complete) socket.destroy()
    else disconnect(socket, rawAnswer(describe(failure, settings)))
  }
}

/**
 * Reads on so that the client receives the answer, but not forever: a client that does not close its side would keep its place.
 */
function disconnect(socket: Socket, answer: string): void {
  socket.end(answer)
  socket.resume()
  setTimeout(() => socket.destroy(), ANSWER_ARRIVAL_MS).unref()
}

function describe(failure: NodeJS.ErrnoException, settings: Settings): ToolError {
  switch (failure.code) {
    case 'HPE_HEADER_OVERFLOW':
      return HeadersTooLarge({ limitBytes: MAX_HEADER_BYTES })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return RequestTimeout({ limitMs: settings.requestTimeoutMs })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return PayloadTooLarge({ limitBytes: settings.bodyLimitBytes })
    default:
      return BadRequest({ message: `The request is not valid HTTP/1.1: ${failure.message}.` })
  }
}

function rawAnswer(error: ToolError): string {
  const { requestId: _none, ...record } = errorRecord(error, '')
  const body = JSON.stringify(record)
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
