import { newsTold, on } from '@gateway/sdk'
import { messageReceived } from '../api.ts'

/** Whoever has the dashboard open sees that mail has come. */
export const mailIsNews = on(messageReceived, {
  uses: { news: newsTold },
  handle: async ({ from, to, subject, preview }, { news }) =>
    news.emit({ title: `${from} → ${to}: ${subject}`, text: preview, tone: 'info', path: `/mailbox?to=${encodeURIComponent(to)}` }),
})
