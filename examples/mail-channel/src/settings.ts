import type { ChannelSettings } from '@gateway/plugin-notifications/api'

export interface MailSettings {
  readonly host: string
  /** Default: 587, or 465 with `secure`. */
  readonly port?: number
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  readonly secure?: boolean
  readonly user?: string
  readonly password?: string
  readonly from: string
  readonly to: readonly string[]
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 500
const isAddress = (value: unknown): boolean => isText(value) && ADDRESS.test(value as string)

type Check = readonly [must: string, holds: (value: unknown) => boolean, isRequired?: true]
const CHECKS: Readonly<Record<keyof MailSettings, Check>> = {
  host: ['be the name of a server', isText, true],
  port: ['be a port from 1 to 65535', (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535],
  secure: ['be true or false', (value) => typeof value === 'boolean'],
  user: ['be a text', isText],
  password: ['be a text', isText],
  from: ['be a mail address', isAddress, true],
  to: [
    'be 1 to 50 mail addresses',
    (value) => Array.isArray(value) && value.length >= 1 && value.length <= 50 && value.every(isAddress),
    true,
  ],
}

/** Returns the first fault as a sentence that names the setting. */
export function settingsFault(settings: ChannelSettings): string | undefined {
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(CHECKS, name))
  if (unknown !== undefined) return `settings.${unknown} is no setting of a mail channel; there are ${Object.keys(CHECKS).join(', ')}.`
  for (const [name, [must, holds, isRequired]] of Object.entries(CHECKS)) {
    const value = settings[name]
    if (value === undefined ? isRequired : !holds(value)) return `settings.${name} must ${must}.`
  }
  if ((settings.user === undefined) !== (settings.password === undefined)) return 'settings.user and settings.password belong together.'
  return undefined
}
