import { closed, Type } from '@gateway/sdk'

export const Issued = Type.Object(
  {
    url: Type.String({ description: 'To clone, fetch from and push to.' }),
    token: Type.String({ description: 'The password. Shown this once.' }),
  },
  closed,
)
/** Path parameter of the git routes. */
export const owner = Type.String({ minLength: 1, maxLength: 64 })
