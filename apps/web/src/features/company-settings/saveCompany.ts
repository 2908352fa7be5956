import { companies, currentCompany, type CompanyFields } from "@metrum/contract/access";
import { exchange, refetch, type SendOptions } from "#lib/call";

/** Changes one's own company. */
export const saveCompany = (body: CompanyFields, options: SendOptions) =>
  exchange(companies.update, { body }, options);

/** Updates the company in the whole app. */
export const companySaved = () => refetch(currentCompany.own);
