import { definePlugin } from '@gateway/sdk'
import { artifacts, installs, listings, versions } from './collections.ts'
import { config } from './config.ts'
import { installed } from './contributions/agents-installed.ts'
import { publishedByTenant } from './contributions/tenant-mentions.ts'
import { marketplacePage } from './pages/marketplace.ts'
import { marketplaceReviewPage } from './pages/marketplace-review.ts'
import { installsList } from './routes/installs-list.ts'
import { installsRemove } from './routes/installs-remove.ts'
import { reviewDelist } from './routes/review-delist.ts'
import { reviewPublish } from './routes/review-publish.ts'
import { reviewSuspend } from './routes/review-suspend.ts'
import { reviewYank } from './routes/review-yank.ts'
import { reviewsList } from './routes/reviews-list.ts'
import { versionsGet } from './routes/versions-get.ts'
import { installedProvider } from './services/installed.ts'
import { marketplaceInstall } from './tools/marketplace-install.ts'
import { marketplacePublish } from './tools/marketplace-publish.ts'
import { marketplaceSearch } from './tools/marketplace-search.ts'

/**
 * Agents and skills that tenants share. The life of a version:
 *
 * 1. submitted: four checks, of which the first failure is reported; then it is in its author's tenant, in_review, with the
 *    artifact under its hash. Submitting it again before it is published renews it;
 * 2. published by the operator: from then on it and its artifact are gateway-wide and immutable, and the slug belongs to its
 *    author;
 * 3. found by searches, as the newest of its listing;
 * 4. installed: its hash is checked, and the tenant's registry has it, in place of another version of the listing;
 * 5. yanked: it can no longer be installed. Suspended: in addition, it is unavailable where it is installed, until it is
 *    published again. Delisted: removed from the marketplace for good; in review, that is a refusal, and the author may renew
 *    it.
 */
export default definePlugin({
  id: 'marketplace',
  sdk: '^1.0.0',
  description: 'Agents and skills that tenants publish, the operator reviews, and others install.',
  config,
  collections: [versions, artifacts, listings, installs],
  tools: [marketplacePublish, marketplaceSearch, marketplaceInstall],
  routes: [reviewPublish, reviewSuspend, reviewDelist, reviewYank, reviewsList, versionsGet, installsList, installsRemove],
  provides: [installedProvider],
  contributes: [publishedByTenant, installed],
  pages: [marketplacePage, marketplaceReviewPage],
})
