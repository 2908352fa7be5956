import { designPictures, shell, type OwnDesign } from "@metrum/contract/platform";
import { useTranslation } from "react-i18next";
import { reasonOf, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { Skeleton } from "#ui/skeleton";
import { SettingsForm, SettingsSection } from "#ui/settings";
import { ErrorState } from "#ui/states";
import { AccentField } from "./AccentField.tsx";
import { useBrandingForm } from "./brandingForm.ts";
import { BrandPreview } from "./BrandPreview.tsx";
import "./branding.css";
import { PictureField } from "./PictureField.tsx";
import { StaffFields } from "./StaffFields.tsx";
import { TextFields } from "./TextFields.tsx";

/** Branding of a company: its administrators edit their part, platform staff the rest as well. */
export function BrandingEditor({ companyId }: { readonly companyId: number }) {
  const { t } = useTranslation("branding");
  const own = useCall(shell.ownDesign, { params: { id: String(companyId) } }, { isQuiet: true });
  if (own.data) return <Editor key={companyId} design={own.data.design} />;
  return (
    <SettingsSection title={t("title")}>
      {own.isPending ? (
        <Skeleton height={320} />
      ) : (
        <ErrorState title={t("failed")} message={reasonOf(own.error)} onRetry={() => void own.refetch()} />
      )}
    </SettingsSection>
  );
}

function Editor({ design }: { readonly design: OwnDesign }) {
  const { t } = useTranslation("branding");
  const { access } = useSession();
  const props = { design, form: useBrandingForm(design) };
  return (
    <SettingsForm
      title={t("title")}
      text={t(design.hosts.length === 0 ? "text.noHosts" : "text.hosts", { hosts: design.hosts.join(", ") })}
      form={props.form}
    >
      <TextFields {...props} />
      <AccentField {...props} />
      <div className="branding-pictures">
        {designPictures.map((field) => (
          <PictureField key={field} field={field} {...props} />
        ))}
      </div>
      <BrandPreview {...props} />
      {access.is_platform ? <StaffFields {...props} /> : null}
    </SettingsForm>
  );
}
