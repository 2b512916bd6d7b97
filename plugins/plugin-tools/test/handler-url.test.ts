import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHandlerUrl } from '../src/rules/handler-url.ts'

const ports = [443, 8_443]
const byTenant = { ports, mayLoopBack: false }
const byOperator = { ports, mayLoopBack: true }
const isTaken = (url: string, rules = byTenant): boolean => !('fault' in readHandlerUrl(url, rules))

/** Hosts that are this machine, however they are written. */
const LOOPBACK = ['localhost', '127.0.0.1', '127.0.0.2', '127.255.255.254', '[::1]', 'LOCALHOST']

/** Nobody may register these, the operator neither. */
const CLOSED_HOSTS = [
  // this machine and its network in other notations
  ...['2130706433', '0x7f000001', '0x7F000001', '017700000001', '127.1', '127.0.1', '0x7f.1', '0x7f.0.0.1', '0177.0.0.1', '0177.1'],
  ...['127.0.0.01', '127.0.00.1', '0127.0.0.1', '00127.0.0.1', '127.0.0.0x1', '127.000.000.001', '0x7f.0x0.0x0.0x1', '4294967295'],
  ...['3232235521', '0xc0a80001', '0300.0250.0.1', '192.168.1', '192.168.257', '10.1', '0xa.1', '012.1', '167772161', '2852039166'],
  ...['0xa9fea9fe', '0xa9.0xfe.0xa9.0xfe', '0251.0376.0251.0376', '169.254.43518', '169.16689662', '0', '0x0', '00', '1', '256'],
  ...['%31%32%37.0.0.1', '127.0.0.1%2e', '127%2E0%2E0%2E1', '%6c%6f%63alhost', '127.0.0.1.', 'localhost.', 'localhost..'],
  // IPv4 that is not the open internet
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254', '169.254.169.254', '169.254.170.2'],
  ...['169.254.0.1', '172.16.0.1', '172.31.255.254', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
  ...['192.168.255.255', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1'],
  ...['255.255.255.255', '100.100.100.200', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  // IPv6 that is not, and what carries an IPv4 address
  ...[
    '[::]',
    '[::2]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:a00:1]',
    '[::ffff:169.254.169.254]',
  ],
  ...['[::ffff:8.8.8.8]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::808:808]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2002:c0a8:1::1]', '[2001::1]', '[2001:0:7f00:1::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:10::1]', '[2001:20::1]'],
  ...['[2001:2::1]', '[2001:db8::1]', '[3fff::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00::1]', '[fd00:ec2::254]'],
  ...['[fd12:3456:789a::1]', '[ff02::1]', '[ff0e::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[fe80::1%25eth0]', '[::1%25lo]', '[1::]'],
  ...['[::1', '::1', '[127.0.0.1]', '[::g]', '[2606:4700:4700:0:0:0:0:1111]', '[2620:4f:8000::1]'],
  // names of private networks, and none at all
  ...['intranet', 'router', 'kubernetes', 'metadata', 'db', 'foo.localhost', 'a.b.localhost', 'localhost.localdomain', 'printer.local'],
  ...['metadata.google.internal', 'ip-10-0-0-1.ec2.internal', 'vault.corp', 'wiki.intranet', 'nas.home', 'nas.lan', 'x.home.arpa'],
  ...['1.0.0.127.in-addr.arpa', 'kubernetes.default.svc.cluster.local', 'abc.onion', 'a.test', 'a.invalid', 'files.private', 'x.alt'],
  ...[
    '',
    '.',
    '..',
    '.example.com',
    'example..com',
    'example.com.',
    '-a.example.com',
    'a-.example.com',
    'a_b.example.com',
    `${'a'.repeat(64)}.com`,
  ],
  ...[
    `${'a.'.repeat(130)}com`,
    'exa mple.com',
    'example.com%00.evil.com',
    'example.com%2eevil.com',
    '*.example.com',
    'example.com,evil.com',
  ],
  // what looks like something else
  ...['１２７.0.0.1', '127。0。0。1', '①②⑦.⓪.⓪.①', 'ⓛocalhost', 'loc\u00adalhost', 'ｌocalhost', 'exаmple.com', 'bücher.example.com'],
  ...[
    'xn--bcher-kva.example.com',
    'xn--exmple-4nf.com',
    'www.xn--80ak6aa92e.com',
    'XN--bcher-kva.example.com',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.0x',
  ],
]

/** Nobody may register these as a whole. */
const CLOSED_URLS = [
  ...[
    '',
    ' ',
    'https',
    'https:',
    'https:/',
    'https://',
    'https:///path',
    '//example.com',
    '/hook',
    'example.com/hook',
    'javascript:alert(1)',
  ],
  ...[
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:application/json,{}',
    'ws://example.com',
    'wss://example.com',
  ],
  ...[
    'unix:/var/run/docker.sock',
    'blob:https://example.com/1',
    'jar:https://example.com!/',
    'HTTPS:example.com',
    'https:example.com',
    'https:\\\\example.com',
  ],
  ...[
    'https:/example.com',
    'https:///example.com',
    'https:////example.com/',
    'https://\\example.com',
    'https://example.com\\@127.0.0.1/',
    'https://127.0.0.1\\.example.com',
  ],
  ...[
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://example.com@127.0.0.1/',
  ],
  ...[
    'https://127.0.0.1@example.com/',
    'https://example.com%40127.0.0.1/',
    'https://a:b@c@example.com/',
    'https://example.com:443@10.0.0.1/',
  ],
  ...[
    'https://example.com#@127.0.0.1/',
    'https://example.com/#fragment',
    'https://example.com/a b',
    ' https://example.com/',
    'https://example.com/ ',
  ],
  ...[
    'https://exam\tple.com/',
    'https://example.com/\r\nHost: 127.0.0.1',
    'https://example.com/\u0000',
    'https://example.com/é',
    '\u0001https://example.com/',
  ],
  ...[
    'https://example.com:0/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:80/',
    'https://example.com:2375/',
    'https://example.com:3306/',
  ],
  ...[
    'https://example.com:6379/',
    'https://example.com:8080/',
    'https://example.com:9200/',
    'https://example.com:10250/',
    'https://example.com:11211/',
  ],
  ...[
    'https://example.com:65535/',
    'https://example.com:65536/',
    'https://example.com:-1/',
    'https://example.com:4 43/',
    'https://example.com:443:443/',
    'https://example.com:0x1bb/',
  ],
  ...[
    'http://example.com/',
    'http://example.com:443/',
    'http://8.8.8.8/',
    'http://tools.example.com:8443/',
    `https://example.com/${'a'.repeat(2_000)}`,
  ],
  ...[
    'https://[::1',
    'https://::1/',
    'https://1.1.1.1.1/',
    'https://[1.1.1.1]/',
    'http://localhost.example',
    'https://example.com?@127.0.0.1/#',
  ],
]

const OPEN = [
  ...[
    'https://example.com',
    'https://example.com/',
    'https://tools.example.com/hook',
    'https://a.b.c.d.example.com/x/y?z=1&u=https%3A%2F%2F127.0.0.1',
  ],
  ...[
    'https://example.com:443/',
    'https://example.com:8443/hook',
    'https://Example.COM/Hook',
    'https://1.1.1.1/',
    'https://8.8.8.8:8443/dns',
  ],
  ...['https://[2606:4700:4700::1111]/', 'https://[2a00:1450:4001:81b::200e]:8443/', 'https://example.com/a@b', 'https://example.com?x=@y'],
  ...[
    'https://my-tool.example.co.uk/v1/%7Btool%7D',
    'https://abc123.lambda-url.eu-west-1.on.aws/',
    'https://3com.com/',
    'https://x.y-z.io/~me/;a,b!$()*+',
  ],
  ...[
    'https://172.15.255.255/',
    'https://172.32.0.1/',
    'https://100.63.255.255/',
    'https://100.128.0.1/',
    'https://192.169.0.1/',
    'https://11.0.0.1/',
    'https://223.255.255.255/',
  ],
  ...[
    'https://notlocalhost.com/',
    'https://mylocal.com/',
    'https://internal.example.com/',
    'https://localhost.example.com/',
    'https://test.example.com/',
  ],
]

const hostile = [...CLOSED_HOSTS.flatMap((host) => [`https://${host}/hook`, `http://${host}:8080/`]), ...CLOSED_URLS]

test(`of ${hostile.length} hostile URLs none is taken, from a tenant or from the operator`, () => {
  assert.ok(CLOSED_HOSTS.length + CLOSED_URLS.length >= 150)
  assert.deepEqual(
    hostile.filter((url) => isTaken(url) || isTaken(url, byOperator)),
    [],
  )
})

test('a handler on this machine is for the operator alone, over http or https, on any port but 0', () => {
  for (const host of LOOPBACK) {
    for (const url of [`http://${host}/`, `https://${host}/hook`, `http://${host}:3000/`, `https://${host}:8443/`]) {
      assert.equal(isTaken(url), false, url)
      const read = readHandlerUrl(url, byOperator)
      assert.ok('url' in read && read.loopback, url)
    }
    assert.equal(isTaken(`http://${host}:0/`, byOperator), false)
  }
})

test(`of ${OPEN.length} legitimate URLs each is taken, as one that is not on this machine`, () => {
  for (const url of OPEN) {
    for (const rules of [byTenant, byOperator]) {
      const read = readHandlerUrl(url, rules)
      assert.ok('url' in read && !read.loopback, `${url}: ${'fault' in read ? read.fault : 'loopback'}`)
    }
  }
})

test('the ports are those of the settings', () => {
  assert.equal(isTaken('https://example.com:3000/', { ports: [3_000], mayLoopBack: false }), true)
  assert.equal(isTaken('https://example.com/', { ports: [3_000], mayLoopBack: false }), false)
})
