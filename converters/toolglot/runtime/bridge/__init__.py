"""Between a model and a tool: `compilation.compile` offers tools, and `session.Session` answers calls.

compilation    tools as one request offers them, and the way of a call back to the tool
    naming         the names under which they are offered
    unknown_names  a name that none of them has
    compilation_cache   what was compiled lately, by content
session        the whole loop: offer, judge, run, answer
    invocations    a call, as whoever runs it gets it
    runner_and_approve  what runs a call, and what asks a person about it
    answers_of_session  what was answered so far, and holds for later calls
    call_log       what a host writes down of calls
retries        how long a call may last, and whether it is tried again
judged_results  whether what came out is what the tool says of its results
calls          from what a model sent to calls, and from results to what it is sent
    calls_in_text  a call that stands in a text, and is none
    runner_failures  why a call came to nothing
stated_objects  what is stated as an object: a policy, rules of delegation, the state of tools
violations     what speaks against a call, as the three below say it
    validator      all that a host allows: its policy, its folder, and what the tools say of their arguments
        policy         what tools may do
        path_bounds    whether a path stays in a folder
    delegation     what a lead agent allows another one
    approval       what a person is asked first
        question_text  in which words
concurrency    which calls must not run at the same time
command_line   a call as the argument vector of a command line
http_requests  a call as an HTTP request, of tools that stand for operations of an API
program_calls  a call carried out by the program that it is for
result_filter  what a tool returned, without secrets and not longer than wanted
    redaction      how secrets are found in it
prompt         what a model has to know about the dangers of its tools
shared_tool_context  what one agent tells another about its tools
"""
