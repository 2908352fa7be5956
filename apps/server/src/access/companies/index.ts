import type { Domain } from "#core";
import { serveCompanies, servePeakHours } from "./calls.ts";

export { closedBecause, ownCompany } from "./companies.ts";
export { signInPolicy, type SignInPolicy } from "./policyStore.ts";
export { modulesFor } from "./modules.ts";
export { noteInBoth } from "./note.ts";
export { peakHoursOf } from "./peakHours.ts";
export {
  companyById,
  companyNamed,
  create as createCompany,
  openCompany,
  removePending,
  stateOf as companyState,
  type CompanyRow,
} from "./store.ts";

export const companies: Domain = {
  name: "companies",
  calls: (api) => {
    serveCompanies(api);
    servePeakHours(api);
  },
};
