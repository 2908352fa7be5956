import { shell, type OwnDesign } from "@metrum/contract";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf, refetch, useCall } from "#lib/call";
import { useSession } from "#lib/session";
import { Skeleton } from "#ui/skeleton";
import { SettingsForm, SettingsSection } from "#ui/settings";
import { ErrorState } from "#ui/states";
import { AccentField } from "./AccentField.tsx";
import { BrandPreview } from "./BrandPreview.tsx";
import "./branding.css";
import { PictureField } from "./PictureField.tsx";
import { StaffFields } from "./StaffFields.tsx";
import { TextFields } from "./TextFields.tsx";
import { pictures, useDraft } from "./useDraft.ts";

/** The design of a company: its own administrators change what is theirs, platform staff the rest as well. */
export function BrandingEditor({ companyId }: { readonly companyId: number }) {
  const { t } = useTranslation(["branding", "common"]);
  const own = useCall(shell.ownDesign, { params: { id: String(companyId) } }, { isQuiet: true });
  if (own.data) return <Editor key={companyId} design={own.data.design} />;
  return (
    <SettingsSection title={t("title")}>
      {own.isPending ? (
        <Skeleton height={320} />
      ) : (
        <ErrorState
          title={t("failed")}
          message={reasonOf(own.error, t("common:error.offline")) ?? null}
          onRetry={() => void own.refetch()}
        />
      )}
    </SettingsSection>
  );
}

function Editor({ design }: { readonly design: OwnDesign }) {
  const { t } = useTranslation("branding");
  const { access } = useSession();
  const draft = useDraft(design);
  useEffect(() => {
    // What was saved elsewhere is shown once nothing is entered here.
    if (!draft.isDirty) draft.discard();
  }, [design]);
  const save = async () => {
    if (await draft.save()) await refetch(shell.ownDesign);
  };
  return (
    <SettingsForm
      title={t("title")}
      text={t(design.hosts.length === 0 ? "text.noHosts" : "text.hosts", { hosts: design.hosts.join(", ") })}
      isDirty={draft.isDirty}
      isSaving={draft.isSaving}
      onSave={() => void save()}
      onDiscard={draft.discard}
    >
      <TextFields draft={draft} />
      <AccentField draft={draft} />
      <div className="branding-pictures">
        {pictures.map((field) => (
          <PictureField key={field} field={field} draft={draft} />
        ))}
      </div>
      <BrandPreview draft={draft} />
      {access.is_platform ? <StaffFields draft={draft} /> : null}
    </SettingsForm>
  );
}
