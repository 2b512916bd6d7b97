import type { ChannelKind, ChannelOutcome, ComposedNote } from '@gateway/plugin-notifications/api'
import { cutText } from '@gateway/sdk'
import { createTransport } from 'nodemailer'
import { type MailSettings, settingsFault } from './settings.ts'

const MAX_SUBJECT_CHARACTERS = 200

/** Notifications are few, so each has a connection of its own, which ends with it. */
export const mailKind: ChannelKind = {
  kind: 'mail',
  settingsFault,
  async send({ settings, note, timeoutMs }) {
    const { host, port, secure = false, user, password, from, to } = settings as unknown as MailSettings
    const transport = createTransport({
      host,
      port: port ?? (secure ? 465 : 587),
      secure,
      ...(user !== undefined && { auth: { user, pass: password } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // The text comes from agents: it names no files and no addresses to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({ from, to: [...to], subject: subjectOf(note), text: textOf(note) })
      return { sent: true }
    } catch (error) {
      return outcomeOf(error)
    } finally {
      transport.close()
    }
  },
}

const subjectOf = ({ level, title, message }: ComposedNote): string =>
  cutText(`[${level}] ${title ?? message}`.replaceAll(/\s+/g, ' '), MAX_SUBJECT_CHARACTERS)

const textOf = ({ message, source }: ComposedNote): string => (source === undefined ? message : `${message}\n\n(${source})`)

/** A server that refuses for good answers with 500 to 599; any other failure may pass. */
function outcomeOf(error: unknown): ChannelOutcome {
  const { responseCode, message } = error as { readonly responseCode?: number; readonly message: string }
  return { sent: false, error: `The mail server did not take it: ${message}`, transient: responseCode === undefined || responseCode < 500 }
}
