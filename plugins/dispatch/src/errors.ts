import { defineError, Type } from '@gateway/sdk'

export const DirectorAddress = defineError('DIRECTOR_ADDRESS', {
  status: 409,
  description: 'Mail of this address is for whoever directs the work: read it with mail_inbox, no worker takes it as a task.',
  details: Type.Object({ field: Type.String(), address: Type.String() }),
  message: ({ address }) =>
    `Mail to ${address} is for whoever directs the work, and does not become a worker’s task; read it with mail_inbox.`,
})
