import { channelKinds } from '@gateway/plugin-notifications/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { mailKind } from './mail-kind.ts'

/**
 * Sends notifications by e-mail. A channel of the kind `mail` in `notifications.channels` names the server and the addresses:
 *
 * `"oncall": { "kind": "mail", "settings": { "host": "smtp.example.com", "from": "fleet@example.com", "to": ["oncall@example.com"] } }`
 */
export default definePlugin({
  id: 'mail-channel',
  sdk: '^1.0.0',
  description: 'Sends notifications by e-mail, through the SMTP server that a channel names.',
  contributes: [contribute(channelKinds, { create: () => mailKind })],
})
