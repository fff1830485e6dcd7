/** The four hosts as services, floods and collectors see them. */
import type { Host, Role } from './host.ts';

export type Network = {
  hosts: Readonly<Record<Role, Host>>;
  /** IPv4 addresses on the study's own links. */
  addresses: Readonly<{ server: string; client: string; flooder: string }>;
};
