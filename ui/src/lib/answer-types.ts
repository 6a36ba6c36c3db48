// Written by a test (src/typescript_tests.rs) from the types of the server. Do not edit it.

export type Account = { username: string, createdAt: string, passwordChangedAt: string, lastSeenAt: string | null, };

export type Adjustment = { points: string, sentence: string, };

export type AttentionItem = { room: string, path: string, sentence: string, closes?: Array<Kind>, erases?: boolean, };

export type AuditEntry = { id: number, at: string, actor: string, action: string, kind: string | null, subjectId: number | null, detail: Record<string, unknown> | null, };

export type Backups = { items: Array<ListedBackup>, everyHours: number, keep: number, folder: string, freeBytes: number | null, };

export type Breakdown = { participantFee: number, additionalCategoriesTotal: number, };

export type CategoryCount = { category: string, entries: number, paid: number, revenue: number, };

export type DailyCount = { day: string, total: number, registrations: Record<string, number>, revenue: number, };

export type DailyCounts = { from: string, to: string, days: Array<DailyCount>, categories: Array<CategoryCount>, };

export type Device = { id: number, name: string, until: string, lastSeenAt: string | null, waiting: number, };

export type Figures = { at: string, lists: Array<ListFigures>, twice: Array<Twice>, unprinted: number, };

export type Finding = { id: number, foundAt: string, stripePaymentIntentId: string, problem: FindingKind, entryId: number | null, amount: number, currency: string, settledAt: string | null, settledBy: string | null, note: string | null, };

export type FindingKind = "no_entry" | "wrong_amount" | "second_payment" | "refund_failed";

export type FirstScan = { at: string, device: string, };

export type FirstStep = { key: string, title: string, detail: string, done: boolean, view: string | null, };

export type FormOpening = { kind: Kind, open: boolean, message: string | null, closedByHand: boolean, };

export type FoundRegistration = { kind: Kind, id: number, createdAt: string, status: string, name: string, business: string | null, email: string, paymentStatus?: string, };

export type GroupCount = { recipients: number, unsubscribed: number, refused: number, };

export type Kind = "speaker-applications" | "judge-applications" | "sponsor-applications" | "professional-demo-registrations" | "competition-entries" | "waitlist-signups" | "sponsor-inquiries";

export type ListFigures = { key: string, label: string, in: number, expected: number, byRole: { [key in Role]?: RoleFigures }, byQuarter: Array<Quarter>, };

export type ListedAttachment = { fileName: string, contentType: string, bytes: number, };

export type ListedBackup = { name: string, at: string, bytes: number, };

export type ListedMail = { id: number, createdAt: string, state: "waiting" | "sent" | "failed" | "discarded", dueAt: string, attempts: number, sentAt: string | null, lastError: string | null, recipient: string, subject: string, kind: Kind | null, registrationId: number | null, };

export type ListedSession = { id: string, username: string, createdAt: string, lastSeenAt: string, userAgent: string | null, };

export type MailDetails = { text: string, isToPerson: boolean, messageId: string, isTrimmed: boolean, attachments: Array<ListedAttachment>, id: number, createdAt: string, state: "waiting" | "sent" | "failed" | "discarded", dueAt: string, attempts: number, sentAt: string | null, lastError: string | null, recipient: string, subject: string, kind: Kind | null, registrationId: number | null, };

export type MailingProgress = { recipients: number, waiting: number, queued: number, sent: number, failed: number, unsubscribed: number, refused: number, leftOut: number, };

export type NominationState = "open" | "handed_in" | "returned" | "ready" | "withdrawn" | "forfeited" | "disqualified";

export type OpeningFact = { open: boolean, message: string | null, opensAt?: string, };

export type PublishedCategory = { label: string, category: string, subCategory: string, publishedAt: string, rows: Array<ResultRow>, };

export type Quarter = { from: string, in: number, };

export type Quote = { amount: number, additionalCategories: number, subtotal: number, taxRate: number, taxAmount: number, total: number, breakdown: Breakdown, };

export type RefusedAddress = { recipient: string, at: string, reply: string, };

export type Relation = { judge: string, kind: RelationKind, note: string | null, state?: RelationState, rejectedFor?: Array<string>, answer?: string | null, };

export type RelationKind = "trained_by" | "works_for" | "related_to";

export type RelationState = "counts" | "requested" | "rejected";

export type ReportTimes = { dailyReportTime: string, weeklyReportTime: string, };

export type ResultRow = { place: number, name: string, businessName: string, points: string, };

export type Results = { categories: Array<PublishedCategory>, };

export type ReviewStep = { at: string, actor: string, from: Status, to: Status, note: string | null, };

export type Role = "competitor" | "speaker" | "judge" | "demonstrator" | "sponsor" | "guest";

export type RoleFigures = { in: number, expected: number, };

export type ScaleStep = { points: string, text: string, };

export type Scan = { id: string, code: string, list: string, at: string, walkIn?: string, shown?: Verdict, anyway?: string, };

export type ScanOutcome = { id: string, result: Verdict, first?: FirstScan, };

export type SchedulerStatus = { isRunning: boolean, config: ReportTimes, nextDailyRun: string | null, lastDailyRun: string | null, nextWeeklyRun: string | null, lastWeeklyRun: string | null, };

export type ScoreSheet = { code: string, label: string, points: string, place: number | null, placed: number, state: "placed" | "unplaced" | "disqualified", reason: string | null, criteria: Array<ScoreSheetCriterion>, criteriaTotal: string, penalties: Array<ScoreSheetPenalty>, penaltyTotal: string, penaltyCap: string, adjustment: Adjustment | null, sentences: Array<string>, comments: Array<string>, scale: Array<ScaleStep>, };

export type ScoreSheetCriterion = { key: string, label: string, fullMarks: string, max: number, points: string, mean: string, lowest: string, highest: string, };

export type ScoreSheetPenalty = { key: string, label: string, points: string, };

export type SheetCounts = { open: number, saved: number, confirmed: number, conflict: number, abstained: number, secondLook: number, };

export type SiteFacts = { publicUrl: string, demo: boolean, awaitsSetup: boolean, clockOffset: number | null, today: string, payments: "off" | "stripe" | "demo", stripePublishableKey: string | null, participantFeeCents: number, submission: string, submissionIsOver: boolean, openings: Record<Kind, OpeningFact>, startsAt: string, endsAt: string, results: Results, };

export type Status = "new" | "in_review" | "accepted" | "waitlisted" | "declined" | "withdrawn" | "no_show" | "set_aside";

export type Twice = { ticketId: number, name: string, list: string, scans: number, };

export type Verdict = "welcome" | "already" | "void" | "wrong_list" | "unknown" | "walk_in";
