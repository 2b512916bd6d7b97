/** Paths up to the number of a pull request at GitHub, Gitea and Azure DevOps, Bitbucket, and GitLab. */
const PAGE = /^(.+?)\/(pull|pulls|pullrequest|pull-requests|(?:-\/)?merge_requests)\/(\d+)(?![0-9a-z])/

/**
 * Name of a pull request, the same for all spellings of its page: upper and lower case, another scheme, a view of it such as its files, a
 * query, an anchor, blanks around it. Any other text is a name of its own.
 */
export function pullRequestKey(url: string): string {
  const [address = ''] = url.trim().toLowerCase().split(/[?#]/)
  const plain = address.replace(/^[a-z][a-z0-9+.-]*:\/\//, '').replace(/^([^/]+):(?:443|80)(?=\/)/, '$1')
  const [, repo, kind = '', number] = PAGE.exec(plain) ?? []
  if (repo === undefined) return plain.replace(/\/+$/, '')
  // GitLab has pages with and without the dash.
  return `${repo}/${kind === 'merge_requests' ? '-/merge_requests' : kind}/${number}`
}
