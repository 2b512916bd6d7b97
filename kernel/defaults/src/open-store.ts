import type { StoreParts } from '@gateway/kernel'
import type { Store } from '@gateway/storage'
import { chosenStore } from './stores.ts'

export const openStore = (parts: StoreParts): Promise<Store> => chosenStore(parts.settings).open(parts)
