/**
 * A gateway in a separate process, because a process reads its trusted certificates at its start. Registers and calls each URL it
 * receives.
 */
import { register, start } from './support.ts'

const gateway = await start()
process.on('message', (url: string) => void call(url).then((answer) => process.send?.(answer)))
process.on('disconnect', () => void gateway.stop().then(() => process.exit()))
process.send?.('ready')

async function call(handlerUrl: string): Promise<object> {
  await register(gateway, { handlerUrl, timeoutMs: 30_000 })
  try {
    return await gateway.call('shout', { text: 'a' })
  } catch (error) {
    const { code, status, details, message } = error as Error & { code: string; status: number; details: object }
    return { code, status, details, message }
  }
}
