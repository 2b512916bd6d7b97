/** Some hosts append a slash to the address they were given. They follow no redirect of a POST, so the address is served as well. */
const WITH_SLASH = /^(\/(?:mcp(?:\/core|\/t\/[^/?]+)?|core\/mcp|sse(?:\/messages)?))\/(\?.*)?$/s

export function withoutMcpSlash(url: string): string {
  return url.includes('/', 1) ? url.replace(WITH_SLASH, '$1$2') : url
}
