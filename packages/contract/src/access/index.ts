export {
  accessGroups,
  groupSortFields,
  holdsAll,
  type GrantedRules,
  type ListedGroup,
} from "./accessGroups.ts";
export { auditActions, auditTitle, type AuditAction } from "./auditActions.ts";
export { auditLog, type LogRow } from "./auditLog.ts";
export { auth, personalDataVersion } from "./auth.ts";
export { captcha, workPrefix, type Challenge } from "./captcha.ts";
export {
  companies,
  companySortFields,
  companyStates,
  endingDays,
  type BranchFields,
  type CompanyFields,
  type CompanyInTree,
  type CompanyState,
} from "./companies.ts";
export { currentCompany, dividedGapDays, type Company, type PeakHours, type PeakRange } from "./company.ts";
export { consumerSortFields, consumers, subjects, type Consumer, type ConsumerExport } from "./consumers.ts";
export { licence, licenceStates, type LicenceInfo, type LicenceState } from "./licence.ts";
export { Email, members, userSessions, type MemberChange, type NewMember } from "./members.ts";
export {
  partyBounds,
  subjectOrganisation,
  subjectPerson,
  subjectTypes,
  type PartyPoint,
} from "./partyFields.ts";
export {
  longestPassword,
  passwordNeeds,
  passwordSigns,
  shortestPassword,
  unmetPasswordNeeds,
  type PasswordNeed,
} from "./passwords.ts";
export {
  ProfileChange,
  longestTokenDays,
  memberTwoFactor,
  mostTokens,
  ownSessions,
  profile,
  twoFactor,
  type ApiToken,
  type OwnSession,
} from "./profile.ts";
export { PasswordReset, Signup, registration } from "./registration.ts";
export {
  serviceMessages,
  services,
  type CompanyService,
  type Service,
  type ServiceLogRow,
} from "./services.ts";
export { singleSignOn } from "./singleSignOn.ts";
export { supplierSortFields, suppliers, type Supplier } from "./suppliers.ts";
export {
  AccessGroup,
  AccessRecord,
  AccessRules,
  Module,
  userSortFields,
  users,
  type Member,
  type User,
} from "./users.ts";
