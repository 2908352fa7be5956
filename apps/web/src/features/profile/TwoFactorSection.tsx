import { ownSessions, profile, twoFactor, users } from "@metrum/contract/access";
import type { ReplyOf } from "@metrum/contract/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { exchange, keyOf, queryClient, refetch } from "#lib/call";
import { useSession } from "#lib/session";
import { Button } from "#ui/button";
import { AccountName, PasswordField, TextField } from "#ui/field";
import { Form, useForm } from "#ui/form";
import { SettingsRow, SettingsSection } from "#ui/settings";
import { Status } from "#ui/status";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { SetUpTwoFactor } from "./SetUpTwoFactor.tsx";

type State = ReplyOf<typeof profile.state>["two_factor"];
type Doing = "nothing" | "setUp" | "disable" | "renew";

/** Refetches everything that depends on the second factor; the offered secret is dropped. */
async function changed(): Promise<void> {
  queryClient.removeQueries({ queryKey: keyOf(twoFactor.init) });
  await refetch(profile.state, users.info, users.access, ownSessions.list, ownSessions.tokens);
}

export function TwoFactorSection({ state }: { readonly state: State }) {
  const { t } = useTranslation("profile");
  const { user } = useSession();
  const [doing, setDoing] = useState<Doing>("nothing");
  const [codes, setCodes] = useState<readonly string[]>([]);
  // An unused secret is not kept in memory.
  useEffect(() => () => queryClient.removeQueries({ queryKey: keyOf(twoFactor.init) }), []);
  const done = (recovery: readonly string[]) => {
    setDoing("nothing");
    setCodes(recovery);
    void changed();
  };
  const cancel = () => {
    setDoing("nothing");
    queryClient.removeQueries({ queryKey: keyOf(twoFactor.init) });
  };
  if (codes.length > 0)
    return (
      <SettingsSection title={t("recovery.title")} text={t("recovery.text")}>
        <RecoveryCodes codes={codes} email={user.email} onDone={() => setCodes([])} />
      </SettingsSection>
    );
  return (
    <SettingsSection
      title={t("twoFactor.title")}
      text={t(state.is_required ? "twoFactor.required" : "twoFactor.text")}
    >
      {doing === "setUp" ? (
        <SetUpTwoFactor email={user.email} onEnabled={done} onCancel={cancel} />
      ) : doing === "nothing" ? (
        <Standing state={state} onDo={setDoing} />
      ) : (
        <Prove doing={doing} email={user.email} onDone={done} onCancel={cancel} />
      )}
    </SettingsSection>
  );
}

function Standing({ state, onDo }: { readonly state: State; readonly onDo: (doing: Doing) => void }) {
  const { t } = useTranslation("profile");
  if (!state.is_enabled)
    return (
      <SettingsRow title={<Status kind="off">{t("twoFactor.off")}</Status>}>
        <Button kind="primary" onClick={() => onDo("setUp")}>
          {t("twoFactor.setUp")}
        </Button>
      </SettingsRow>
    );
  const isFew = state.recovery_codes_left < 3;
  return (
    <>
      <SettingsRow title={<Status kind="ok">{t("twoFactor.on")}</Status>}>
        <Button onClick={() => onDo("disable")}>{t("twoFactor.turnOff")}</Button>
      </SettingsRow>
      <SettingsRow
        title={
          <Status kind={isFew ? "warn" : "ok"}>
            {t("recovery.left", { count: state.recovery_codes_left })}
          </Status>
        }
        text={t("recovery.use")}
      >
        <Button onClick={() => onDo("renew")}>{t("recovery.renew")}</Button>
      </SettingsRow>
    </>
  );
}

function Prove(props: {
  readonly doing: "disable" | "renew";
  readonly email: string;
  readonly onDone: (recovery: readonly string[]) => void;
  readonly onCancel: () => void;
}) {
  const { t } = useTranslation("profile");
  const { doing, onDone, onCancel } = props;
  const form = useForm({
    stored: { one_t_p: "", current_password: "" },
    required: ["one_t_p", "current_password"],
    send: async (body, options) => {
      if (doing === "renew") return exchange(twoFactor.renewRecovery, { body }, options);
      const { msg } = await exchange(twoFactor.disable, { body }, options);
      return { data: { recovery_codes: [] }, msg };
    },
    onSaved: ({ recovery_codes }) => onDone(recovery_codes),
  });
  return (
    <Form form={form} className="profile-form">
      <p>{t(doing === "disable" ? "twoFactor.turnOffText" : "recovery.renewText")}</p>
      <TextField
        label={t("twoFactor.anyCode")}
        {...form.field("one_t_p")}
        autoComplete="one-time-code"
        autoFocus
        maxLength={20}
      />
      <AccountName email={props.email} />
      <PasswordField
        label={t("password.current")}
        {...form.field("current_password")}
        autoComplete="current-password"
      />
      <div className="profile-buttons">
        <Button
          type="submit"
          kind={doing === "disable" ? "danger" : "primary"}
          isBusy={form.isBusy}
          disabled={form.isBusy}
        >
          {t(doing === "disable" ? "twoFactor.turnOff" : "recovery.renew")}
        </Button>
        <Button onClick={onCancel}>{t("common:cancel")}</Button>
      </div>
    </Form>
  );
}
