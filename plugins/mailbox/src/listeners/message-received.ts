import { newsPosted, on } from '@gateway/sdk'
import { messageReceived } from '../api.ts'

/** Shows the addressee, if it has the dashboard open, that mail has arrived. */
export const mailIsNews = on(messageReceived, {
  uses: { news: newsPosted },
  handle: async ({ from, to, subject, preview }, { news }) =>
    news.emit({ title: `Mail from ${from}: ${subject}`, text: preview, tone: 'info', path: `/mailbox?to=${encodeURIComponent(to)}`, to }),
})
