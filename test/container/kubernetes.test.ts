import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadSettings, settingsSchema } from '@gateway/settings'
import { parseAllDocuments } from 'yaml'
import { temporaryFolder } from '../../kernel/storage/test/temporary-folder.ts'
import { config as gitConfig } from '../../plugins/git/src/config.ts'
import { kubernetesProgram } from '../../scripts/kubernetes-programs.mjs'
import { root } from '../../scripts/workspaces.mjs'

interface Probe {
  readonly httpGet: { readonly path: string; readonly httpHeaders: readonly { readonly name: string; readonly value: string }[] }
  readonly periodSeconds: number
}
interface Container {
  readonly image: string
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly secretKeyRef: { readonly optional?: boolean } }
  }[]
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[]
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly startupProbe: Probe
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean }
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own
  readonly spec?: any
  readonly data?: Readonly<Record<string, string>>
}

const deploy = join(root, 'deploy')
const image = readFileSync(join(root, 'Dockerfile'), 'utf8')

/** Runs a program that may be missing; undefined where it is. */
function rendered(program: string, args: readonly string[]): readonly Resource[] | undefined {
  const { status, stdout, stderr, error } = spawnSync(kubernetesProgram(program), args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  })
  if (error) return undefined
  assert.equal(status, 0, stderr)
  return parseAllDocuments(stdout).flatMap((document) => {
    assert.deepEqual(document.errors, [])
    const resource = document.toJS() as Resource | null
    return resource === null ? [] : [resource]
  })
}

/** The variables that the image sets for its process. */
function variablesOfImage(): Record<string, string> {
  const [, variables = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(image) ?? []
  return Object.fromEntries([...variables.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]))
}

/** The variables that Kubernetes gives the containers of a namespace for each service with an address. */
function serviceLinks(resources: readonly Resource[]): Record<string, string> {
  const services = resources.filter(({ kind, spec }) => kind === 'Service' && spec.clusterIP !== 'None')
  return Object.fromEntries(
    services.flatMap(({ metadata, spec }) => {
      const name = metadata.name.toUpperCase().replaceAll('-', '_')
      const { port } = spec.ports[0]
      const address = `tcp://10.96.0.7:${port}`
      return [
        [`${name}_SERVICE_HOST`, '10.96.0.7'],
        [`${name}_SERVICE_PORT`, String(port)],
        [`${name}_SERVICE_PORT_HTTP`, String(port)],
        [`${name}_PORT`, address],
        [`${name}_PORT_${port}_TCP`, address],
      ]
    }),
  )
}

const byKustomize = rendered('kubectl', ['kustomize', join(deploy, 'kustomize')])
/** The chart with values, each as text `name=value` or as an object. */
const helm = (...values: readonly (string | object)[]) =>
  rendered('helm', [
    'template',
    'gateway',
    join(deploy, 'helm'),
    '--kube-version',
    '1.30.0',
    ...values.flatMap((value) =>
      typeof value === 'string'
        ? ['--set', value]
        : Object.entries(value).flatMap(([name, part]) => ['--set-json', `${name}=${JSON.stringify(part)}`]),
    ),
  ])
const byHelm = helm()

for (const [title, resources, missing] of [
  ['the Kustomize base', byKustomize, 'kubectl'],
  ['the Helm chart', byHelm, 'helm'],
] as const) {
  describe(`${title}${resources ? '' : ` (needs ${missing})`}`, { skip: resources === undefined }, () => {
    const find = (kind: string, name: string): Resource => {
      const found = resources?.find((one) => one.kind === kind && one.metadata.name === name)
      assert.ok(found, `there is no ${kind} ${name}`)
      return found
    }
    const pod = () => find('StatefulSet', 'gateway').spec.template
    const container = (): Container => pod().spec.containers[0]

    test('every resource has a kind, a version and a name, and no two are the same', () => {
      const names = (resources ?? []).map(({ apiVersion, kind, metadata }) => {
        assert.match(apiVersion, /^(v1|[a-z.]+\/v1)$/)
        return `${kind} ${metadata.name}`
      })
      assert.equal(new Set(names).size, names.length)
    })

    test('services and the disruption budget select the pods, and their ports lead to the port of the image', () => {
      const { labels } = pod().metadata
      const selectors = [
        find('StatefulSet', 'gateway').spec.selector.matchLabels,
        find('PodDisruptionBudget', 'gateway').spec.selector.matchLabels,
        find('Service', 'gateway').spec.selector,
        find('Service', 'gateway-nodes').spec.selector,
      ]
      for (const selector of selectors)
        for (const [name, value] of Object.entries(selector)) assert.equal(labels[name], value, `the pods have no label ${name}`)
      for (const name of ['gateway', 'gateway-nodes']) assert.equal(find('Service', name).spec.ports[0].targetPort, 'http')
      assert.equal(find('StatefulSet', 'gateway').spec.serviceName, 'gateway-nodes')
      const [port] = container().ports
      assert.match(image, new RegExp(`EXPOSE ${port?.containerPort}\\b`))
    })

    test('all variables are settings of the gateway', () => {
      const known = JSON.stringify([settingsSchema, gitConfig.schema])
      for (const { name } of container().env) assert.ok(known.includes(`"${name}"`), `${name} is no setting`)
    })

    /** Settings of the pod's gateway in a cluster that names its services in variables. */
    const settingsOfPod = () => {
      const secret = '0123456789abcdef'.repeat(4)
      const ownValues = Object.fromEntries(container().env.map(({ name, value }) => [name, value ?? secret]))
      const links = pod().spec.enableServiceLinks === false ? {} : serviceLinks(resources ?? [])
      return loadSettings({ env: { ...variablesOfImage(), ...links, ...ownValues }, cwd: root })
    }

    test('all members of the secret are variables of the pod, and it does not start without those that it needs', () => {
      const { env, envFrom } = container()
      const needed = env.flatMap(({ name, valueFrom }) => (valueFrom && !valueFrom.secretKeyRef.optional ? [name] : []))
      assert.deepEqual(needed, ['MONGODB_URL', 'GATEWAY_HASH_KEY', 'GATEWAY_LOCAL_TOKEN'])
      assert.deepEqual(
        envFrom.flatMap(({ secretRef }) => secretRef ?? []),
        [{ name: 'gateway' }],
      )
    })

    test('the settings of the pod are valid in a cluster that names its services in variables', () => {
      const settings = settingsOfPod()
      assert.deepEqual([settings.host, settings.port, settings.dataDir], ['0.0.0.0', container().ports[0]?.containerPort, '/data'])
    })

    test('all gateways share one folder of brains', () => {
      assert.equal(container().env.find(({ name }) => name === 'GATEWAY_BRAINS_DIR')?.value, '/brains')
      assert.equal(container().volumeMounts.find(({ name }) => name === 'brains')?.mountPath, '/brains')
      const { claimName } = pod().spec.volumes.find(({ name }: { name: string }) => name === 'brains').persistentVolumeClaim
      assert.deepEqual(find('PersistentVolumeClaim', claimName).spec.accessModes, ['ReadWriteMany'])
    })

    test('readiness follows the store and liveness does not, and the probes name a host that is allowed', () => {
      const { livenessProbe, readinessProbe, startupProbe } = container()
      assert.deepEqual(
        [livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet.path),
        ['/health', '/ready', '/health'],
      )
      for (const { httpGet } of [livenessProbe, readinessProbe, startupProbe])
        assert.deepEqual(httpGet.httpHeaders, [{ name: 'Host', value: 'localhost' }])
    })

    test('a pod that ends answers calls until the service sends no more, and has time for the calls that run', () => {
      const settings = settingsOfPod()
      const { readinessProbe } = container()
      const seconds = settings.drainMs / 1_000
      assert.ok(seconds > 2 * readinessProbe.periodSeconds, `${seconds} s are too short`)
      const needed = seconds + (3 * settings.stopTimeoutMs) / 1_000
      assert.ok(
        pod().spec.terminationGracePeriodSeconds >= needed,
        `${pod().spec.terminationGracePeriodSeconds} s are fewer than ${needed}`,
      )
    })

    test('it runs as nobody in particular, on a file system that it cannot change, except for its data', () => {
      assert.deepEqual([pod().spec.securityContext.runAsNonRoot, pod().spec.automountServiceAccountToken], [true, false])
      const { securityContext, volumeMounts } = container()
      assert.deepEqual([securityContext.readOnlyRootFilesystem, securityContext.allowPrivilegeEscalation], [true, false])
      const volumes = [
        ...pod().spec.volumes,
        ...find('StatefulSet', 'gateway').spec.volumeClaimTemplates.map(({ metadata }: Resource) => metadata),
      ]
      assert.deepEqual(volumeMounts.map(({ name }) => name).sort(), volumes.map(({ name }: { name: string }) => name).sort())
      assert.ok(volumeMounts.some(({ mountPath }) => mountPath === '/data'))
    })
  })
}

test(`the chart with all that it offers is rendered${byHelm ? '' : ' (needs helm)'}`, { skip: byHelm === undefined }, () => {
  const full = helm(
    'ingress.enabled=true',
    'ingress.tlsSecretName=tls',
    'settings.GATEWAY_ALLOWED_HOSTS=gateway.example.com',
    'storage.className=fast',
  )
  const find = (kind: string) => full?.find((one) => one.kind === kind)
  assert.deepEqual(find('Ingress')?.spec.tls, [{ hosts: ['gateway.example.com'], secretName: 'tls' }])
  assert.deepEqual(find('ConfigMap')?.data, { GATEWAY_ALLOWED_HOSTS: 'gateway.example.com' })
  assert.equal(find('StatefulSet')?.spec.volumeClaimTemplates[0].spec.storageClassName, 'fast')
})

test(`the chart mounts a config file, whose changes restart the gateways${byHelm ? '' : ' (needs helm)'}`, {
  skip: byHelm === undefined,
}, () => {
  const withKey = (key: string) => {
    const config = { plugins: { providers: { config: { wire: 'anthropic', apiKey: `\${${key}}` } } } }
    const resources = helm({ config })
    const file = resources?.find(({ metadata }) => metadata.name === 'gateway-config')?.data?.['gateway.config.json'] as string
    assert.deepEqual(JSON.parse(file), config)
    return resources?.find(({ kind }) => kind === 'StatefulSet')?.spec.template
  }
  const { metadata, spec } = withKey('ANTHROPIC_API_KEY')
  const [{ env, volumeMounts }] = spec.containers as [Container]
  const folder = volumeMounts.find(({ name }) => name === 'config')?.mountPath
  assert.equal(env.find(({ name }) => name === 'GATEWAY_CONFIG')?.value, `${folder}/gateway.config.json`)
  assert.deepEqual(spec.volumes.find(({ name }: { name: string }) => name === 'config').configMap, { name: 'gateway-config' })
  assert.notDeepEqual(withKey('OTHER_KEY').metadata.annotations, metadata.annotations)
})

test(`the base takes a config file from an overlay, as the operators' page shows it${byKustomize ? '' : ' (needs kubectl)'}`, {
  skip: byKustomize === undefined,
}, (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [, overlay = ''] = /```yaml\n# kustomization.yaml\n([^`]*)```/.exec(page) ?? []
  cpSync(join(deploy, 'kustomize'), join(folder.path, 'base'), { recursive: true })
  mkdirSync(join(folder.path, 'mine'))
  writeFileSync(join(folder.path, 'mine/kustomization.yaml'), overlay.replace(/github\.com\S+kustomize/, '../base'))
  writeFileSync(join(folder.path, 'mine/gateway.config.json'), '{"plugins":{}}')
  const resources = rendered('kubectl', ['kustomize', join(folder.path, 'mine')])
  const { spec } = resources?.find(({ kind }) => kind === 'StatefulSet')?.spec.template ?? {}
  const [{ env, volumeMounts }] = spec.containers as [Container]
  const { mountPath } = volumeMounts.find(({ name }) => name === 'config') ?? {}
  assert.equal(env.find(({ name }) => name === 'GATEWAY_CONFIG')?.value, `${mountPath}/gateway.config.json`)
  const { configMap } = spec.volumes.find(({ name }: { name: string }) => name === 'config')
  const file = resources?.find(({ metadata }) => metadata.name === configMap.name)?.data
  assert.deepEqual(file, { 'gateway.config.json': '{"plugins":{}}' })
})

test(`one gateway can keep brains in its own volume, several cannot${byHelm ? '' : ' (needs helm)'}`, {
  skip: byHelm === undefined,
}, () => {
  const alone = helm('replicas=1', 'brains.shared=false')
  const set = alone?.find(({ kind }) => kind === 'StatefulSet')
  assert.ok(!JSON.stringify(set).includes('brains'))
  assert.equal(
    alone?.find(({ kind }) => kind === 'PersistentVolumeClaim'),
    undefined,
  )
  assert.throws(() => helm('brains.shared=false'), /brains\.shared=false is for one replica/)
})

test(`the base and the chart run the same container${byHelm && byKustomize ? '' : ' (needs helm and kubectl)'}`, {
  skip: !(byHelm && byKustomize),
}, () => {
  const containerOf = (resources: readonly Resource[] | undefined) => {
    const set = resources?.find(({ kind }) => kind === 'StatefulSet')
    const { imagePullPolicy: _policy, envFrom: _settings, ...container } = set?.spec.template.spec.containers[0] ?? {}
    return container
  }
  assert.deepEqual(containerOf(byHelm), containerOf(byKustomize))
})
