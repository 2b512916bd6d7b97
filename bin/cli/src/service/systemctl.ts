import { execFile } from 'node:child_process'
import { CommandError, EXIT } from '@gateway/sdk/command'
import type { Env } from '../command.ts'

/**
 * Runs `systemctl --user` with these arguments and returns its output. Throws its complaint, and advice if there is no systemctl.
 */
export async function systemctl(args: readonly string[], env: Env): Promise<string> {
  return await new Promise((resolve, reject) => {
    execFile(
      'systemctl',
      ['--user', '--no-pager', ...args],
      { env: { ...env }, encoding: 'utf8', timeout: 120_000 },
      (error, stdout, stderr) => {
        if (!error) resolve(stdout)
        else if (error.code === 'ENOENT') reject(new CommandError(EXIT.failure, WITHOUT))
        else
          reject(
            new CommandError(
              EXIT.failure,
              `\`systemctl --user ${args.join(' ')}\` failed: ${stderr.trim() || error.message}${hint(stderr)}`,
            ),
          )
      },
    )
  })
}

const WITHOUT =
  'This machine has no systemctl. Let your own supervisor run `gateway start` (SIGTERM stops it); `gateway service install --print` shows the systemd unit.'

/** A shell without a login, as of `su` or of a container, has no user manager. */
const hint = (stderr: string): string =>
  /connect to .*bus|XDG_RUNTIME_DIR/i.test(stderr) ? ' Log in as the user itself (not by `su`), or run `loginctl enable-linger` first.' : ''
