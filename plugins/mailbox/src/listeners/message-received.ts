import { newsPosted, on } from '@gateway/sdk'
import { messageReceived } from '../api.ts'

/** Shows people with an open dashboard that mail has arrived. */
export const mailIsNews = on(messageReceived, {
  uses: { news: newsPosted },
  handle: async ({ from, to, subject, preview }, { news }) =>
    news.emit({ title: `${from} → ${to}: ${subject}`, text: preview, tone: 'info', path: `/mailbox?to=${encodeURIComponent(to)}` }),
})
