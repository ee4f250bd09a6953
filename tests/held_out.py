"""What no weight of `orders-in-text` is made of, named before the words are weighed: the published rates come from it.

`SEEN` and `UNSEEN` are public MCP servers that are in no corpus of ours. Their texts are other people's and not part of
the project; `make weights SEEN="FILE ..." UNSEEN="FILE ..."` judges files with what they answer to `tools/list`.
"""

from __future__ import annotations

import re

# Whole sources of harmless tools in ../shared/corpus, by how the names of their files begin.
HARMLESS = re.compile(
    "github__github-mcp-server|microsoft__mcp|docker__mcp-registry__servers-[n-z]|"
    "pathintegral-institute__mcpm.sh__mcp-registry-servers-[p-z]"
)
FIXTURES = ("sixth", "eighth", "plain", "hard")  # files of fixtures/poisoned and of fixtures/innocent

# What was named of these was looked at: it led to `fixtures/innocent/second.json` and `third.json`, in our own words.
SEEN = (
    "chrome-devtools-mcp 1.11.0",
    "desktop-commander 0.2.52",
    "excel-mcp-server 2.2.2",
    "mongodb-mcp-server 3.0.4",
    "task-master-ai 0.43.1",
    "@antv/mcp-server-chart 0.9.10",
    "@azure-devops/mcp 2.10.0",
    "@brightdata/mcp 2.11.3",
    "@browserbasehq/mcp-server-browserbase 2.4.3",
    "@currents/mcp 2.1.1",
    "@digitalocean/mcp 1.0.70",
    "@dynatrace-oss/dynatrace-mcp-server 2.1.2",
    "@larksuiteoapi/lark-mcp 0.5.1",
    "@launchdarkly/mcp-server 0.6.2",
    "@mapbox/mcp-server 0.2.0",
    "@mondaydotcomorg/monday-api-mcp 3.3.0",
    "@postman/postman-mcp-server 2.13.0",
    "@roychri/mcp-server-asana 1.8.0",
    "@salesforce/mcp 0.30.15",
    "@shortcut/mcp 0.25.0",
    "@softeria/ms-365-mcp-server 0.155.0",
    "@winor30/mcp-server-datadog 1.8.0",
    "airtable-mcp-server 1.14.0",
    "analytics-mcp 0.8.0",
    "argocd-mcp 0.9.0",
    "awslabs-aws-dataprocessing-mcp-server 0.2.2",
    "awslabs-eks-mcp-server 0.2.1",
    "awslabs-iam-mcp-server 1.1.2",
    "ha-mcp 8.7.0",
    "ida-pro-mcp 1.4.0",
    "lean-lsp-mcp 0.32.0",
    "mcp-grafana 2.1.1",
    "mcp-server-motherduck 1.1.0",
    "n8n-mcp 2.87.0",
    "office-powerpoint-mcp-server 2.0.7",
    "opensearch-mcp-server-py 0.12.0",
    "pagerduty-mcp 1.1.0",
    "redis-mcp-server 0.5.1",
    "serena-agent 2.1.0",
    "workspace-mcp 2.2.1",
    "xcodebuildmcp 2.7.0",
)
# These were listed when the weights were done, and judged once.
UNSEEN = (
    "@bitwarden/mcp-server 2026.7.0",
    "@browserstack/mcp-server 1.4.2",
    "@cyanheads/pubmed-mcp-server 2.7.4",
    "@dangahagan/weather-mcp 1.23.0",
    "@delorenj/mcp-server-trello 1.8.1",
    "@google-cloud/storage-mcp 0.6.0",
    "@hypothesi/tauri-mcp-server 0.13.0",
    "@iterable/mcp 1.9.0",
    "@line/line-bot-mcp-server 0.4.2",
    "@masonator/coolify-mcp 3.5.0",
    "@nexus2520/bitbucket-mcp-server 3.0.0",
    "@rollbar/mcp-server 0.6.0",
    "alpaca-mcp-server 2.4.0",
    "backlog-mcp-server 0.20.4",
    "couchbase-mcp-server 1.0.1.post1",
    "dataforseo-mcp-server 3.0.1",
    "drawio-mcp-server 2.3.0",
    "elevenlabs-mcp 0.12.2",
    "freecad-mcp 0.1.28",
    "mcp-atlassian 0.23.1",
    "mcp-discord 1.3.4",
    "mcp-jenkins 3.6.0",
    "mcp-wordpress 3.3.35",
    "nextcloud-mcp-server 0.202.1",
    "prometheus-mcp-server 1.6.2",
    "resend-mcp 2.6.0",
    "robloxstudio-mcp 2.6.0",
    "ros-mcp 3.1.2",
    "teradata-mcp-server 0.2.8",
    "wikipedia-mcp 2.0.1",
    "zotero-mcp-server 0.15.1",
)
