import type { Domain } from "#core";
import { serveCompanies } from "./calls.ts";

export { closedBecause } from "./companies.ts";
export { modulesFor } from "./modules.ts";
export { create as createCompany, stateOf as companyState, type CompanyRow } from "./store.ts";

export const companies: Domain = { name: "companies", calls: serveCompanies };
