import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

/** An SMTP server of this machine. `refusal`: its answer to every recipient. */
export async function mailServer({ refusal }: { readonly refusal?: string } = {}) {
  const mails: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    void converse(socket, mails, refusal)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    mails,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function converse(socket: Socket, mails: ReceivedMail[], refusal: string | undefined): Promise<void> {
  const say = (line: string): boolean => socket.write(`${line}\r\n`)
  let from = ''
  let to: string[] = []
  let data: string[] | undefined
  say('220 mail.test ready')
  for await (const line of createInterface({ input: socket })) {
    if (data) {
      if (line !== '.') {
        data.push(line)
        continue
      }
      mails.push({ from, to, text: data.join('\n') })
      data = undefined
      say('250 kept')
    } else if (/^EHLO/i.test(line)) say('250 mail.test')
    else if (/^MAIL FROM/i.test(line)) {
      from = /<(.*?)>/.exec(line)?.[1] ?? ''
      to = []
      say('250 ok')
    } else if (/^RCPT TO/i.test(line)) {
      to.push(/<(.*?)>/.exec(line)?.[1] ?? '')
      say(refusal ?? '250 ok')
    } else if (/^DATA/i.test(line)) {
      data = []
      say('354 go on')
    } else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else say('250 ok')
  }
}
