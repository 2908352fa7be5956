import { companies, currentCompany, type CompanyFields } from "@metrum/contract";
import { exchange, refetch, type SendOptions } from "#lib/call";

/** Changes the own company. */
export const saveCompany = (body: CompanyFields, options: SendOptions) =>
  exchange(companies.update, { body }, options);

/** The whole app shows the company as it is now. */
export const companySaved = () => refetch(currentCompany.own);
