import { pluginSuite } from '@gateway/sdk/testing'
import mailbox from '../src/index.ts'

pluginSuite(mailbox, { folder: import.meta.dirname })
