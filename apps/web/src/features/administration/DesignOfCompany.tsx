import { companies } from "@metrum/contract/access";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useCall } from "#lib/call";
import { Icon } from "#ui/icon";
import { BrandingSection } from "#branding";
import { companiesAddress } from "./designAddress.ts";

/** Branding of any company, with a link back to the list. */
export function DesignOfCompany({ companyId }: { readonly companyId: number }) {
  const { t } = useTranslation("administration");
  const input = useMemo(() => ({ body: { search_string: String(companyId) } }), [companyId]);
  const { data } = useCall(companies.list, input, { isQuiet: true });
  const name = data?.companies.data.find(({ id }) => id === companyId)?.name ?? String(companyId);
  return (
    <>
      <p className="administration-of">
        <a href={`#${companiesAddress}`}>
          <Icon name="chevronLeft" size={14} />
          {t("company.all")}
        </a>
        <b>{name}</b>
      </p>
      <BrandingSection companyId={companyId} />
    </>
  );
}
