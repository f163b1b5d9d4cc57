import { expect, test } from 'vitest'
import type { Request } from '../../src/protocol/request.ts'
import { createTurnCache } from '../../src/turn/cache.ts'
import { findTools, withSearch } from '../../src/turn/prompt/offer/offer.ts'
import { toolbox } from './toolbox.ts'

/** What a model says it looks for, and the tool that does it. */
const directives = `
open a bug report on github: create_issue
report a bug in the repo: create_issue
see all open issues of the repository: list_issues
read issue number 42: get_issue
comment on an issue: add_issue_comment
open a PR for my branch: create_pull_request
submit a pull request: create_pull_request
merge the PR: merge_pull_request
which files did this pull request change: get_pull_request_files
fork a repo: fork_repository
make a new git branch: create_branch
find code on github: search_code
show the commit history: list_commits
trigger a CI workflow: run_workflow
start the deploy workflow on github actions: run_workflow
what channels are there in slack: slack_list_channels
send a message to a slack channel: slack_post_message
tell the team on slack: slack_post_message
answer in a slack thread: slack_reply_to_thread
react with an emoji: slack_add_reaction
read the last messages in the channel: slack_get_channel_history
list the people in the slack workspace: slack_get_users
read a file: read_text_file
show file contents: read_text_file
save text to a file: write_file
create a file with content: write_file
change some lines in a file: edit_file
make a folder: create_directory
mkdir directory: create_directory
what files are in this folder: list_directory
tree of the project directories: directory_tree
rename a file: move_file
find files by name pattern: search_files
file size and permissions: get_file_info
create a jira ticket: jira_create_ticket
set a jira ticket to done: jira_transition_ticket
change the status of a ticket: jira_transition_ticket
assign the ticket to anna: jira_assign_ticket
find jira tickets: jira_search_jql
current sprint of the board: jira_get_sprint
log hours of work on a ticket: jira_log_work
query the database with sql: pg_query
run a SELECT on postgres: pg_query
update rows with an SQL statement: pg_execute
which tables does the database have: pg_list_tables
columns of a table: pg_describe_table
why is this query slow, execution plan: pg_explain
back up the database: pg_backup_database
schedule a meeting: calendar_create_event
invite people to an appointment: calendar_create_event
what is on my calendar today: calendar_list_events
move the meeting to another time: calendar_update_event
cancel a meeting: calendar_delete_event
find a free slot for everyone: calendar_find_free_slots
send an email: gmail_send
write a mail to my boss: gmail_send
search my inbox for emails: gmail_search
read an email: gmail_read
draft an email: gmail_create_draft
label a mail: gmail_add_label
archive emails: gmail_archive
download the attachment of a mail: gmail_download_attachment
new stripe customer: stripe_create_customer
give the customer his money back, refund: stripe_create_refund
unpaid invoices: stripe_list_invoices
make a payment link: stripe_create_payment_link
cancel a subscription: stripe_cancel_subscription
account balance: stripe_get_balance
add a notion page: notion_create_page
filter rows of a notion database: notion_query_database
append a paragraph to a page in notion: notion_append_blocks
search notion: notion_search
list running pods: kubectl_get_pods
container logs: kubectl_logs
scale up the deployment: kubectl_scale
apply a manifest to kubernetes: kubectl_apply
remove a resource from the cluster: kubectl_delete
restart the deployment: kubectl_rollout_restart
open a website in the browser: browser_navigate
click a button on the page: browser_click
type into a form field: browser_fill
take a picture of the page: browser_screenshot
run javascript in the page: browser_evaluate
pick an option in a dropdown: browser_select
search the internet: brave_web_search
google something: brave_web_search
download a web page as markdown: fetch_url
weather right now: get_current_weather
will it rain this weekend, weather forecast: get_forecast
how do I drive from A to B: maps_directions
route between two places: maps_directions
coordinates of an address: maps_geocode
restaurants nearby: maps_search_places
how far is it, travel time: maps_distance_matrix
what time is it in Tokyo: get_current_time
convert a time to another timezone: convert_time
remember a fact in the knowledge graph: memory_add_observations
recent errors in sentry: sentry_list_errors
stack trace of the crash: sentry_get_stacktrace
upload a file to s3: s3_upload_object
share a temporary download link: s3_presign_url
build a docker image: docker_build_image
start a container: docker_run_container
export a figma layer as png: figma_export_image
translate to French: translate_text
draw a picture: generate_image
speech to text: transcribe_audio
play some music: spotify_play
turn off the lights in the kitchen: home_set_light
make the room warmer, temperature: home_set_thermostat
price of a share of Apple stock: stock_quote
dollars to euros: convert_currency
text of a PDF: pdf_extract_text
read an excel spreadsheet: excel_read_sheet
text my phone: send_sms
`
  .trim()
  .split('\n')
  .map((line) => line.split(/: (?=\w+$)/) as [string, string])

const asked: Request = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hello.' }],
  tools: toolbox,
  sampling: {},
  extra: {},
}
const settings = { listing: 'auto', toolsBudget: '4 tools' } as const

test('a search for tools finds the wanted one, in the words of one who needs it, in nine of ten cases', () => {
  const cache = createTurnCache()
  const request = withSearch(asked, settings, undefined)
  const missed = directives.filter(
    ([directive, name]) => !findTools(request, [], directive, cache).some((tool) => tool.name === name),
  )
  expect(directives.every(([, name]) => toolbox.some((tool) => tool.name === name))).toBe(true)
  expect(directives.length).toBeGreaterThanOrEqual(100)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(directives.length / 10)
})
