import type { GiftCode, ShownGiftCode } from '../schema.ts'

export function showGiftCode({ codeHash: _hash, ...shown }: GiftCode): ShownGiftCode {
  return shown
}
