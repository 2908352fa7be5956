import type { Domain } from "#core";
import { auth } from "#auth";
import { companies } from "#companies";
import { live } from "#live";
import { shell } from "#shell";
import { users } from "#users";

/** Every domain, in starting order; they are stopped in the reverse one. */
export const domains: readonly Domain[] = [companies, users, auth, shell, live];
