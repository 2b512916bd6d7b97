import { defineError, Type } from '@gateway/sdk'

export const DirectorAddress = defineError('DIRECTOR_ADDRESS', {
  status: 409,
  description: 'Mail to this address is for the director of the work and does not become a worker’s task: read it with mail_inbox.',
  details: Type.Object({ field: Type.String(), address: Type.String() }),
  message: ({ address }) =>
    `Mail to ${address} is for the director of the work and does not become a task of a worker; read it with mail_inbox.`,
})
