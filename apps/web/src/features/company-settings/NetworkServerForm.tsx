import { networkServerKinds, networkServers, type NetworkServer } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { PasswordField, SelectField, TextField } from "#ui/field";
import { SettingsForm } from "#ui/settings";
import { snack } from "#ui/snackbar";
import { useDraft } from "./useDraft.ts";

type Start = Pick<NetworkServer, "kind" | "name" | "url" | "username" | "has_secret">;
const blank: Start = { kind: networkServerKinds[0], name: "", url: "", username: "", has_secret: false };

interface Props {
  readonly edited: NetworkServer | null;
  readonly onClose: () => void;
}

/** A new network server, or the settings of one. A secret that is left empty stays as it is. */
export function NetworkServerForm({ edited, onClose }: Props) {
  const { t } = useTranslation("networkServers");
  const { has_secret, ...start } = edited ?? blank;
  const { kind, name, url, username } = start;
  const { draft, set, isDirty } = useDraft({ kind, name, url, username, secret: "" });
  const saving = useServerSave(edited, onClose);
  const { isTried, isWrong } = saving;
  const needed = missingOf(draft);
  const scheme = draft.kind === "actility" ? "https" : "mqtts";
  const urlError = isTried && needed.includes("url") ? t("urlNeeded") : t("wrong.url", { scheme });
  const text = (field: "name" | "url" | "username" | "secret") => ({
    value: draft[field],
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      saving.forget(field);
      set(field, currentTarget.value);
    },
    maxLength: field === "secret" ? 1000 : 255,
    spellCheck: false,
  });
  return (
    <SettingsForm
      title={edited?.name ?? t("new")}
      actions={<IconButton icon="close" label={t("close")} onClick={onClose} />}
      isDirty={isDirty}
      isSaving={saving.isSaving}
      onSave={() => void saving.save(draft, needed.length === 0)}
      onDiscard={onClose}
      checksEmpty={edited === null}
    >
      <SelectField
        label={t("kindLabel")}
        options={networkServerKinds.map((each) => ({ value: each, title: t(`kind.${each}`) }))}
        value={draft.kind}
        onChange={({ currentTarget: { value } }) =>
          set("kind", networkServerKinds.find((each) => each === value) ?? draft.kind)
        }
      />
      <TextField
        label={t("name")}
        {...text("name")}
        error={isTried && needed.includes("name") ? t("nameNeeded") : undefined}
        autoComplete="off"
        autoFocus
        isRequired
      />
      <TextField
        label={t("url")}
        hint={t(`urlHint.${draft.kind}`)}
        {...text("url")}
        error={isWrong("url") || (isTried && needed.includes("url")) ? urlError : undefined}
        autoComplete="off"
        isRequired={draft.kind !== "actility"}
      />
      <TextField
        label={t(`username.${draft.kind}`)}
        {...text("username")}
        error={isWrong("username") ? t("wrong.username") : undefined}
        autoComplete="off"
      />
      <PasswordField
        label={t(`secret.${draft.kind}`)}
        hint={has_secret ? t("secretKept") : undefined}
        {...text("secret")}
        autoComplete="new-password"
      />
    </SettingsForm>
  );
}

type Draft = Omit<Start, "has_secret"> & { readonly secret: string };

function missingOf({ kind, name, url }: Draft): readonly ("name" | "url")[] {
  const isUrlFree = kind === "actility";
  return [
    ...(name.trim() === "" ? (["name"] as const) : []),
    ...(url.trim() === "" && !isUrlFree ? (["url"] as const) : []),
  ];
}

/** Sends the form and remembers which fields the server has refused, until they are changed. */
function useServerSave(edited: NetworkServer | null, onSaved: () => void) {
  const [isTried, setTried] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const save = async ({ secret, ...draft }: Draft, isWhole: boolean): Promise<void> => {
    setTried(true);
    if (!isWhole) return;
    setSaving(true);
    const own = edited === null ? {} : { id: edited.id, is_active: edited.is_active };
    const body = { ...own, ...draft, url: draft.url.trim(), ...(secret === "" ? {} : { secret }) };
    const saved = await exchange(networkServers.save, { body }).catch((error: unknown) => {
      setRefused(error instanceof ApiError ? Object.keys(error.attributes) : []);
    });
    setSaving(false);
    if (!saved) return;
    snack(saved.msg);
    await refetch(networkServers.list);
    onSaved();
  };
  return {
    isTried,
    isSaving,
    isWrong: (field: string) => refused.includes(field),
    forget: (field: string) => setRefused(refused.filter((each) => each !== field)),
    save,
  };
}
