/** As many hosts on either side of one bottleneck as a study is likely to have. */
import { hasManyHosts } from '../e2e/support/many-hosts.ts';

hasManyHosts(32);
