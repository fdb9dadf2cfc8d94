// What operators set to keep bad guests out: names, mail domains and networks that are refused, and how many
// accounts one network can create.

import { comesFrom } from '../lib/network.ts';
import { emailKeyOf } from './email-address.ts';

/** The values come from the site's settings. compose.ts passes them in. */
export interface GuestRules {
  /** The site's and the product's name, and those that operators add to the list of `reserved-names.ts`. */
  reservedNames: readonly string[];
  /** Without the at sign. Their subdomains are blocked too. */
  blockedMailDomains: readonly string[];
  /** Addresses and ranges such as 10.0.0.0/8, which can't sign up or sign in. */
  blockedNetworks: readonly string[];
  /** From one network address, without an invitation. */
  signUpsPerHour: number;
}

/** Report whether an email address belongs to a blocked domain or to a subdomain of one. */
export function hasBlockedDomain({ blockedMailDomains }: GuestRules, email: string): boolean {
  const domain = domainOf(email);
  return blockedMailDomains.some((blocked) => domain === blocked || domain.endsWith(`.${blocked}`));
}

/** Report whether operators blocked the network that the address belongs to. */
export function isBlockedNetwork({ blockedNetworks }: GuestRules, address: string): boolean {
  return blockedNetworks.length > 0 && comesFrom(blockedNetworks, address);
}

/** Bring a mail domain into the form in which domains are compared. Undefined if it isn't a domain. */
export function mailDomainIn(text: string): string | undefined {
  const domain = domainOf(`@${text.replace(/^@/, '')}`);
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain) ? domain : undefined;
}

// A domain in another script is compared in the ASCII form that mail servers use.
function domainOf(email: string): string {
  const domain = emailKeyOf(email.slice(email.lastIndexOf('@') + 1)).replace(/\.$/, '');
  return /^[\x21-\x7E]*$/.test(domain) ? domain : (URL.parse(`http://${domain}`)?.hostname ?? domain);
}
