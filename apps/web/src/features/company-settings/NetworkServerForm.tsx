import { networkServerKinds, networkServers, type NetworkServer } from "@metrum/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, exchange, refetch } from "#lib/call";
import { Button } from "#ui/button";
import { PasswordField, SelectField, TextField } from "#ui/field";
import { SettingsSection } from "#ui/settings";
import { snack } from "#ui/snackbar";

type Start = Pick<NetworkServer, "kind" | "name" | "url" | "username" | "has_secret">;
const blank: Start = { kind: networkServerKinds[0], name: "", url: "", username: "", has_secret: false };

interface Props {
  readonly edited: NetworkServer | null;
  readonly onSaved: () => void;
}

/** A new network server, or the settings of one. A secret that is left empty stays as it is. */
export function NetworkServerForm({ edited, onSaved }: Props) {
  const { t } = useTranslation("networkServers");
  const start = edited ?? blank;
  const [kind, setKind] = useState(start.kind);
  const [name, setName] = useState(start.name);
  const [url, setUrl] = useState(start.url);
  const [username, setUsername] = useState(start.username);
  const [secret, setSecret] = useState("");
  const [wrong, setWrong] = useState<ApiError["attributes"]>({});
  const isReady = name.trim() !== "" && (url.trim() !== "" || kind === "actility");
  const save = async () => {
    const own = edited === null ? {} : { id: edited.id, is_active: edited.is_active };
    const body = { ...own, kind, name, url: url.trim(), username, ...(secret === "" ? {} : { secret }) };
    const saved = await exchange(networkServers.save, { body }).catch((error: unknown) => {
      setWrong(error instanceof ApiError ? error.attributes : {});
    });
    if (!saved) return;
    snack(saved.msg);
    setSecret("");
    setWrong({});
    await refetch(networkServers.list);
    onSaved();
  };
  return (
    <SettingsSection title={edited?.name ?? t("new")}>
      <SelectField
        label={t("kindLabel")}
        options={networkServerKinds.map((each) => ({ value: each, title: t(`kind.${each}`) }))}
        value={kind}
        onChange={({ currentTarget: { value } }) =>
          setKind(networkServerKinds.find((each) => each === value) ?? kind)
        }
      />
      <TextField
        label={t("name")}
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        maxLength={255}
        autoComplete="off"
        isRequired
      />
      <TextField
        label={t("url")}
        hint={t(`urlHint.${kind}`)}
        error={wrong["url"]?.[0]}
        value={url}
        onChange={({ currentTarget: { value } }) => setUrl(value)}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        label={t(`username.${kind}`)}
        error={wrong["username"]?.[0]}
        value={username}
        onChange={({ currentTarget: { value } }) => setUsername(value)}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
      />
      <PasswordField
        label={t(`secret.${kind}`)}
        hint={start.has_secret ? t("secretKept") : undefined}
        value={secret}
        onChange={({ currentTarget: { value } }) => setSecret(value)}
        maxLength={1000}
        autoComplete="new-password"
      />
      <Button kind="primary" disabled={!isReady} onClick={() => void save()}>
        {t("save")}
      </Button>
    </SettingsSection>
  );
}
