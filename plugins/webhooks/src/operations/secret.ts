import { randomBytes } from 'node:crypto'
import { defineSeal } from '@gateway/sdk'

/** Deliveries are signed with secrets, so a hash is not enough: they are stored sealed, each for its webhook. */
export const secretSeal = defineSeal('webhooks')

export const newSecret = (): string => `whs_${randomBytes(32).toString('base64url')}`
