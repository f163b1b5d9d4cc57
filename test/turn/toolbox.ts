import type { Tool } from '../../src/protocol/tool.ts'

/** Tools as servers of the Model Context Protocol declare them: `name(parameters): description`. */
const servers = `
create_issue(owner, repo, title, body, labels): Create a new issue in a GitHub repository
list_issues(owner, repo, state, sort): List issues in a GitHub repository with filtering options
get_issue(owner, repo, issue_number): Get details of a specific issue in a GitHub repository
add_issue_comment(owner, repo, issue_number, body): Add a comment to an existing issue
create_pull_request(owner, repo, title, head, base): Create a new pull request in a GitHub repository
merge_pull_request(owner, repo, pull_number, merge_method): Merge a pull request
get_pull_request_files(owner, repo, pull_number): Get the list of files changed in a pull request
fork_repository(owner, repo, organization): Fork a GitHub repository to your account or specified organization
create_branch(owner, repo, branch, from_branch): Create a new branch in a GitHub repository
search_code(q, per_page): Search for code across GitHub repositories
list_commits(owner, repo, sha): Get list of commits of a branch in a GitHub repository
run_workflow(owner, repo, workflow_id, ref): Trigger a GitHub Actions workflow
slack_list_channels(limit, cursor): List public channels in the workspace with pagination
slack_post_message(channel_id, text): Post a new message to a Slack channel
slack_reply_to_thread(channel_id, thread_ts, text): Reply to a specific message thread in Slack
slack_add_reaction(channel_id, timestamp, reaction): Add a reaction emoji to a message
slack_get_channel_history(channel_id, limit): Get recent messages from a channel
slack_get_users(cursor, limit): Get a list of all users in the workspace with their basic profile information
read_text_file(path, head, tail): Read the complete contents of a file from the file system as text
write_file(path, content): Create a new file or completely overwrite an existing file with new content
edit_file(path, edits, dryRun): Make line-based edits to a text file
create_directory(path): Create a new directory or ensure a directory exists
list_directory(path): Get a detailed listing of all files and directories in a specified path
directory_tree(path): Get a recursive tree view of files and directories as a JSON structure
move_file(source, destination): Move or rename files and directories
search_files(path, pattern, excludePatterns): Recursively search for files and directories matching a pattern
get_file_info(path): Retrieve detailed metadata about a file or directory: size, creation time, permissions
jira_create_ticket(project_key, summary, issue_type, priority): Create a ticket in a Jira project
jira_transition_ticket(ticket_key, transition): Move a Jira ticket to another status
jira_assign_ticket(ticket_key, assignee): Assign a Jira ticket to a user
jira_search_jql(jql, max_results): Search Jira tickets with a JQL expression
jira_get_sprint(board_id, state): Get the sprints of a Jira board
jira_log_work(ticket_key, time_spent, comment): Log time spent on a Jira ticket
pg_query(sql): Run a read-only SQL query against the PostgreSQL database
pg_execute(sql, parameters): Execute a SQL statement that changes data
pg_list_tables(schema): List the tables of a database schema
pg_describe_table(table): Show columns, types and indexes of a table
pg_explain(sql, analyze): Show the execution plan of a SQL query
pg_backup_database(target): Dump the whole database to a file
calendar_create_event(summary, start, end, attendees, location): Create a calendar event and invite attendees
calendar_list_events(time_min, time_max, calendar_id): List the events of a calendar in a time range
calendar_update_event(event_id, start, end, summary): Change the time or details of an existing event
calendar_delete_event(event_id, notify): Cancel an event and notify its attendees
calendar_find_free_slots(attendees, duration_minutes): Find times when all attendees are free
gmail_send(to, subject, body, attachments): Send an email
gmail_search(query, max_results): Search emails with Gmail's query syntax
gmail_read(message_id): Read one email with its body and headers
gmail_create_draft(to, subject, body): Save an email as a draft without sending it
gmail_add_label(message_id, label): Put a label on an email
gmail_archive(message_id): Archive an email so that it leaves the inbox
gmail_download_attachment(message_id, attachment_id, path): Download an attachment of an email
stripe_create_customer(email, name): Create a customer in Stripe
stripe_create_refund(charge_id, amount, reason): Refund a charge, in full or in part
stripe_list_invoices(customer, status): List the invoices of a customer
stripe_create_payment_link(price, quantity): Create a payment link for a price
stripe_cancel_subscription(subscription_id, at_period_end): Cancel a customer's subscription
stripe_get_balance(): Retrieve the current account balance
notion_create_page(parent_id, title, content): Create a page in a Notion workspace
notion_query_database(database_id, filter, sorts): Query the rows of a Notion database
notion_append_blocks(block_id, children): Append content blocks to a Notion page
notion_search(query): Search pages and databases in Notion by title
kubectl_get_pods(namespace, selector): List pods in a Kubernetes namespace
kubectl_logs(pod, container, tail): Get the logs of a container in a pod
kubectl_scale(deployment, replicas): Scale a deployment to a number of replicas
kubectl_apply(manifest): Apply a Kubernetes manifest to the cluster
kubectl_delete(kind, name): Delete a resource from the cluster
kubectl_rollout_restart(deployment): Restart all pods of a deployment one after the other
browser_navigate(url): Open a web page in the browser
browser_click(selector): Click an element on the page
browser_fill(selector, value): Fill out an input field
browser_screenshot(name, width, height): Take a screenshot of the current page
browser_evaluate(script): Execute JavaScript in the browser console
browser_select(selector, value): Choose an option of a dropdown on the page
brave_web_search(query, count): Search the web and return pages with titles and snippets
fetch_url(url, max_length): Fetch a URL from the internet and return its contents as markdown
get_current_weather(location, units): Current weather conditions for a location
get_forecast(location, days): Weather forecast for the coming days
maps_directions(origin, destination, mode): Get directions between two places
maps_geocode(address): Convert an address into geographic coordinates
maps_search_places(query, location, radius): Search for restaurants, shops and other places near a location
maps_distance_matrix(origins, destinations): Travel distance and time for several origins and destinations
get_current_time(timezone): Get the current time in a specific timezone
convert_time(source_timezone, time, target_timezone): Convert time between timezones
memory_create_entities(entities): Create new entities in the knowledge graph
memory_add_observations(observations): Add observations to existing entities in the knowledge graph
memory_search_nodes(query): Search for nodes in the knowledge graph
sentry_list_errors(project, since): List unresolved errors of a Sentry project
sentry_get_stacktrace(error_id): Get the stack trace of an error
sentry_resolve_error(error_id): Mark an error as resolved
s3_upload_object(bucket, key, path): Upload a local file to an S3 bucket
s3_list_objects(bucket, prefix): List the objects of an S3 bucket
s3_presign_url(bucket, key, expires): Create a temporary download link for an object
docker_build_image(context, tag, dockerfile): Build a Docker image from a Dockerfile
docker_run_container(image, command, ports): Start a container from an image
docker_stop_container(container): Stop a running container
figma_get_file(file_key): Get a Figma document with its layers
figma_export_image(file_key, node_id, format): Render a layer of a Figma file as PNG or SVG
translate_text(text, target_language): Translate text into another language
generate_image(prompt, size, style): Generate a picture from a description
transcribe_audio(path, language): Turn spoken audio into text
spotify_play(track, device): Play a song on a Spotify device
spotify_create_playlist(name, tracks): Create a playlist with songs
home_set_light(room, brightness, color): Switch a light on or off, or dim it
home_set_thermostat(room, temperature): Set the target temperature of a room
stock_quote(symbol): Latest price of a stock
convert_currency(amount, from, to): Convert an amount of money from one currency to another
pdf_extract_text(path, pages): Extract the text of a PDF file
excel_read_sheet(path, sheet, range): Read cells of an Excel sheet
excel_write_cells(path, sheet, cells): Write values into cells of an Excel sheet
send_sms(phone_number, text): Send a text message to a phone
`

export const toolbox: readonly Tool[] = servers
  .trim()
  .split('\n')
  .map((line) => {
    const [, name = '', parameters = '', description = ''] = /^(\w+)\(([^)]*)\): (.*)$/.exec(line) ?? []
    const names = parameters.split(', ').filter((parameter) => parameter !== '')
    return {
      kind: 'function',
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(names.map((parameter) => [parameter, { type: 'string' }])),
        required: names.slice(0, 1),
      },
    }
  })
