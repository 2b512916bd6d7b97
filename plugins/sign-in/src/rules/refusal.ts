/** A reason why a person cannot sign in, in words for that person. */
export class SignInRefusal extends Error {
  readonly status: number

  constructor(message: string, status = 403) {
    super(message)
    this.status = status
  }
}
