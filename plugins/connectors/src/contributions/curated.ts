import { contribute } from '@gateway/sdk'
import { curatedConnector } from '../api.ts'
import { bundled } from '../rules/bundled.ts'

export const bundledConnectors = bundled.map((connector) => contribute(curatedConnector, { create: () => connector }))
