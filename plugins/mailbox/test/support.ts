import { startTestGateway, type TestGateway, type TestGatewayOptions } from '@gateway/testing'
import type { Message } from '../src/api.ts'
import mailbox from '../src/index.ts'

export type { TestGateway }

export const start = (options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [mailbox], ...options })

export async function send(gateway: TestGateway, mail: object = {}): Promise<Message> {
  return (await gateway.call('mail_send', { to: 'web', from: 'ada', subject: 'Hello', ...mail })).message
}

export async function inbox(gateway: TestGateway, args: object = {}): Promise<{ messages: Message[]; unreadCount: number }> {
  return gateway.call('mail_inbox', { to: 'web', ...args })
}

export async function subjects(gateway: TestGateway, args: object = {}): Promise<string[]> {
  return (await inbox(gateway, args)).messages.map(({ subject }) => subject)
}
