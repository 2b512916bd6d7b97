import { randomBytes } from 'node:crypto'
import { defineSeal, type Seal } from '@gateway/sdk'
import type { StoredTool } from '../collections.ts'

/** Calls are signed with secrets, so a hash is not enough: they are stored sealed, each for its tool and handler. */
export const secretSeal = defineSeal('plugin-tools')

type Sealed = Pick<StoredTool, 'name' | 'handlerUrl' | 'secret'>

const belongsTo = ({ name, handlerUrl }: Omit<Sealed, 'secret'>): string => `${name} ${handlerUrl}`

export const newSecret = (): string => `pts_${randomBytes(32).toString('base64url')}`

export const sealSecret = (seal: Seal, tool: Omit<Sealed, 'secret'>, secret: string): string => seal.seal(secret, belongsTo(tool))

/** Undefined if it was sealed under another hash key, or stored before secrets were sealed. */
export const openSecret = (seal: Seal, tool: Sealed): string | undefined => seal.open(tool.secret, belongsTo(tool))
