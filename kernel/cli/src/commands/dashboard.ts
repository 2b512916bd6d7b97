import { spawn } from 'node:child_process'
import { jsonOption, urlOption } from '../args.ts'
import { connect } from '../client.ts'
import { defineCommand } from '../command.ts'
import { CliError, EXIT } from '../exit.ts'

/** What opens an address in the browser of this machine. It is given as an argument, to no shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export default defineCommand({
  summary: 'Print the address of the dashboard, or open it in a browser.',
  usage: '',
  details: 'On the machine of the service no key is needed; elsewhere the dashboard asks for one.',
  options: { ...urlOption, ...jsonOption, open: { type: 'boolean', description: 'Open it in the browser of this machine.' } },
  async run({ values, env, output }) {
    const client = connect(values.url, env)
    // A gateway that does not run has no dashboard to look at.
    await client.get('/health')
    const address = `${client.url}/`
    if (values.json) output.json({ url: address })
    else output.line(address)
    if (values.open) await open(address)
    return EXIT.ok
  },
})

function open(address: string): Promise<void> {
  const [program, ...before] = OPENERS[process.platform] ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, address], { detached: true, stdio: 'ignore' })
    child.once('error', () => reject(new CliError(EXIT.failure, `${program} could not be started; open ${address} in a browser.`)))
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
