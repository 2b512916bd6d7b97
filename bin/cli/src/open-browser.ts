import { spawn } from 'node:child_process'
import { CommandError, EXIT } from '@gateway/sdk/command'

/** Programs that open an address in the browser of this machine. The address is passed as an argument, to no shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openBrowser(address: string): Promise<void> {
  const [program, ...before] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, address], { detached: true, stdio: 'ignore' })
    child.once('error', () => reject(new CommandError(EXIT.failure, `${program} could not be started; open ${address} in a browser.`)))
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
