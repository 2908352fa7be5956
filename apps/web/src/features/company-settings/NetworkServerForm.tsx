import { networkServerKinds, networkServers, type NetworkServer } from "@metrum/contract/headend";
import { useTranslation } from "react-i18next";
import { exchange, refetch } from "#lib/call";
import { IconButton } from "#ui/button";
import { PasswordField, SelectField, TextField } from "#ui/field";
import { useForm } from "#ui/form";
import { SettingsForm } from "#ui/settings";

type Start = Pick<NetworkServer, "kind" | "name" | "url" | "username" | "has_secret">;
const blank: Start = { kind: networkServerKinds[0], name: "", url: "", username: "", has_secret: false };

interface Props {
  readonly edited: NetworkServer | null;
  readonly onClose: () => void;
}

/** A new network server, or the settings of one. A secret left empty is unchanged. */
export function NetworkServerForm({ edited, onClose }: Props) {
  const { t } = useTranslation("networkServers");
  const { has_secret, ...start } = edited ?? blank;
  const { kind, name, url, username } = start;
  const isUrlFree = (server: NetworkServer["kind"]) => server === "actility";
  const form = useForm({
    stored: { kind, name, url, username, secret: "" },
    required: ["name"],
    check: (values) => ({ url: isUrlFree(values.kind) || values.url.trim() !== "" ? undefined : "needed" }),
    words: (code, field, values) => {
      if (code === "needed") return t("urlNeeded");
      if (field === "url") return t("wrong.url", { scheme: isUrlFree(values.kind) ? "https" : "mqtts" });
      if (field === "username") return t("wrong.username");
      return code === "required" ? t("nameNeeded") : undefined;
    },
    send: ({ secret, ...values }, options) => {
      const own = edited === null ? {} : { id: edited.id, is_active: edited.is_active };
      const body = { ...own, ...values, url: values.url.trim(), ...(secret === "" ? {} : { secret }) };
      return exchange(networkServers.save, { body }, options);
    },
    onSaved: async () => {
      await refetch(networkServers.list);
      onClose();
    },
  });
  const chosen = form.values.kind;
  const plain = { maxLength: 255, spellCheck: false, autoComplete: "off" };
  return (
    <SettingsForm
      title={edited?.name ?? t("new")}
      actions={<IconButton icon="close" label={t("close")} onClick={onClose} />}
      form={form}
      onDiscard={onClose}
    >
      <SelectField
        label={t("kindLabel")}
        options={networkServerKinds.map((each) => ({ value: each, title: t(`kind.${each}`) }))}
        {...form.field("kind")}
      />
      <TextField label={t("name")} {...form.field("name")} {...plain} autoFocus />
      <TextField
        label={t("url")}
        hint={t(`urlHint.${chosen}`)}
        {...form.field("url")}
        isRequired={!isUrlFree(chosen)}
        {...plain}
      />
      <TextField label={t(`username.${chosen}`)} {...form.field("username")} {...plain} />
      <PasswordField
        label={t(`secret.${chosen}`)}
        hint={has_secret ? t("secretKept") : undefined}
        {...form.field("secret")}
        maxLength={1000}
        spellCheck={false}
        autoComplete="new-password"
      />
    </SettingsForm>
  );
}
